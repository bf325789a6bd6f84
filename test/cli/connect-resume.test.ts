import { expect, test } from 'vitest'
import { COMPLETED, KEY, LOOK, MAILBOX, run, SHOW, STATE, WAITING } from './connect-kit.ts'
import { errorLine } from './run-cli.ts'
import { CONNECTION_ID, problem } from './scripted-service.ts'

const resume = ['connect', 'mailbox', '--resume', STATE, '--json']
const nobody = { terminals: [] } as const

test('without a person and a timeout --resume looks once, and gives the connection that there is', async () => {
  const { code, stdout, paths } = await run(resume, { [LOOK]: COMPLETED, [SHOW]: MAILBOX }, nobody)
  expect({ code, connection: JSON.parse(stdout) }).toEqual({ code: 0, connection: MAILBOX })
  expect(paths).toEqual([`/v1/connectors/attempts?state=${STATE}`, `/v1/connectors/${CONNECTION_ID}`])
})

test.each([
  ['is unknown', problem(404, 'not_found', 'there is no attempt with this state'), 3, 'not_found'],
  ['was denied', { status: 'denied', connection_id: null, detail: 'they said no' }, 5, 'consent_denied'],
  ['failed', { status: 'failed', connection_id: null, detail: 'no token' }, 1, 'consent_failed'],
  ['is over', { status: 'expired', connection_id: null, detail: 'nobody consented in time' }, 8, 'still_pending']
] as const)('a consent that %s is told by that one look', async (...[, said, exit, code]) => {
  const ended = await run(resume, { [LOOK]: said }, nobody)
  expect({ code: ended.code, stdout: ended.stdout, looks: ended.paths.length }).toEqual({
    code: exit,
    stdout: '',
    looks: 1
  })
  expect(errorLine(ended)).toMatchObject({ code, next: ['memctl connect mailbox'] })
})

test('a consent that is still waited for is 8 at once, with the command that waits', async () => {
  const ended = await run(resume, { [LOOK]: WAITING }, nobody)
  expect({ code: ended.code, stdout: ended.stdout, looks: ended.paths.length }).toEqual({
    code: 8,
    stdout: '',
    looks: 1
  })
  expect(errorLine(ended)).toMatchObject({
    message: 'nobody has consented yet',
    next: [`memctl connect mailbox --resume ${STATE} --wait-timeout 10m`]
  })
})

test('--no-wait has a person look once too', async () => {
  const { code, paths } = await run(['connect', 'mailbox', '--resume', STATE, '--no-wait'], { [LOOK]: WAITING })
  expect({ code, looks: paths.length }).toEqual({ code: 8, looks: 1 })
})

test('a server that does not answer that look is 7', async () => {
  expect((await run(resume, {}, { environment: KEY, terminals: [], fetch: unreachable })).code).toBe(7)
})

test('a consent of another provider is refused, and what it made is named', async () => {
  const argv = ['connect', 'notes', '--resume', STATE, '--wait-timeout', '2s', '--json']
  const ended = await run(argv, { [LOOK]: COMPLETED, [SHOW]: MAILBOX }, nobody)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' })
  expect(errorLine(ended)).toMatchObject({
    code: 'usage',
    message: 'that consent is one of mailbox',
    next: [`memctl connections show ${CONNECTION_ID}`]
  })
})

async function unreachable(): Promise<Response> {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
}
