import { expect, test } from 'vitest'
import { COMPLETED, KEY, LOOK, MAILBOX, run, SHOW, STATE, WAITING } from './connect-kit.ts'
import { errorLine } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, problem } from './scripted-service.ts'

const resume = ['connect', 'mailbox', '--resume', STATE, '--json']
const nobody = { terminals: [] } as const

test('--resume without a timeout checks once outside an interactive session and prints the connection', async () => {
  const { code, stdout, paths } = await run(resume, { [LOOK]: COMPLETED, [SHOW]: MAILBOX }, nobody)
  expect({ code, connection: JSON.parse(stdout) }).toEqual({ code: 0, connection: MAILBOX })
  expect(paths).toEqual([`/v1/connectors/attempts?state=${STATE}`, `/v1/connectors/${CONNECTION_ID}`])
})

test.each([
  ['is unknown', problem(404, 'not_found', 'no consent attempt has this state'), 3, 'not_found'],
  ['was denied', { status: 'denied', connection_id: null, detail: 'they said no' }, 5, 'consent_denied'],
  ['failed', { status: 'failed', connection_id: null, detail: 'no token' }, 1, 'consent_failed'],
  ['is over', { status: 'expired', connection_id: null, detail: 'the consent expired' }, 8, 'still_pending']
] as const)('reports with one request a consent that %s', async (...[, said, exit, code]) => {
  const ended = await run(resume, { [LOOK]: said }, nobody)
  expect({ code: ended.code, stdout: ended.stdout, looks: ended.paths.length }).toEqual({
    code: exit,
    stdout: '',
    looks: 1
  })
  expect(errorLine(ended)).toMatchObject({ code, next: ['memctl connect mailbox'] })
})

test('exits 8 at once for a pending consent, with the command that waits', async () => {
  const ended = await run(resume, { [LOOK]: WAITING }, nobody)
  expect({ code: ended.code, stdout: ended.stdout, looks: ended.paths.length }).toEqual({
    code: 8,
    stdout: '',
    looks: 1
  })
  expect(errorLine(ended)).toMatchObject({
    message: 'the consent has not been given yet',
    next: [`memctl connect mailbox --resume ${STATE} --wait-timeout 10m`]
  })
})

test('prints a pending connection and exits 8 with the commands that select', async () => {
  const argv = resume.map((word) => (word === 'mailbox' ? 'cloud_drive' : word))
  const ended = await run(argv, { [LOOK]: COMPLETED, [SHOW]: CONNECTION }, nobody)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 8, connection: CONNECTION })
  expect(errorLine(ended)).toMatchObject({
    code: 'still_pending',
    next: [`memctl connections folders ${CONNECTION_ID}`, `memctl connections config ${CONNECTION_ID} --folder ID`]
  })
  const lines = await run([...argv.slice(0, -1), '--jsonl'], { [LOOK]: COMPLETED, [SHOW]: CONNECTION }, nobody)
  expect(JSON.parse(lines.stdout)).toEqual({ event: 'connected', connection: CONNECTION })
})

test('prints a connection that kept other folders and exits 8 with the command that selects the given ones', async () => {
  const kept = { ...ACTIVE, config: { folder_ids: ['1AbC'] } }
  const argv = ['connect', 'cloud_drive', '--folder', '2DeF', '--resume', STATE, '--json']
  const ended = await run(argv, { [LOOK]: COMPLETED, [SHOW]: kept }, nobody)
  expect({ code: ended.code, connection: JSON.parse(ended.stdout) }).toEqual({ code: 8, connection: kept })
  expect(errorLine(ended).next).toEqual([`memctl connections config ${CONNECTION_ID} --folder 2DeF --yes`])
})

test('hints contain the given collection, or else the one that the server names', async () => {
  const given = await run([...resume, '-c', COLLECTION_ID], { [LOOK]: WAITING }, nobody)
  expect(errorLine(given).next).toEqual([
    `memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE} --wait-timeout 10m`
  ])
  const detail = `the consent expired; begin again with memctl connect mailbox -c ${COLLECTION_ID}`
  const over = { status: 'expired', connection_id: null, detail }
  expect(errorLine(await run(resume, { [LOOK]: over }, nobody))).toMatchObject({
    message: 'the consent expired',
    next: [`memctl connect mailbox -c ${COLLECTION_ID}`]
  })
})

test('--no-wait checks once in an interactive session', async () => {
  const { code, paths } = await run(['connect', 'mailbox', '--resume', STATE, '--no-wait'], { [LOOK]: WAITING })
  expect({ code, looks: paths.length }).toEqual({ code: 8, looks: 1 })
})

test('exits 7 if the server does not respond', async () => {
  expect((await run(resume, {}, { environment: KEY, terminals: [], fetch: unreachable })).code).toBe(7)
})

test('rejects a consent of another provider and names its connection', async () => {
  const argv = ['connect', 'notes', '--resume', STATE, '--wait-timeout', '2s', '--json']
  const ended = await run(argv, { [LOOK]: COMPLETED, [SHOW]: MAILBOX }, nobody)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' })
  expect(errorLine(ended)).toMatchObject({
    code: 'usage',
    message: 'this consent is for mailbox, not for the provider you named',
    next: [`memctl connections show ${CONNECTION_ID}`]
  })
})

async function unreachable(): Promise<Response> {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
}
