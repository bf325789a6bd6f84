import { expect, test } from 'vitest'
import type { DeviceWishes } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { errorLine, runCli } from './run-cli.ts'
import { ACTIVE, CONNECTION_ID, scriptedService } from './scripted-service.ts'

const there = ['input', 'errors'] as const
const disconnect = ['connections', 'disconnect', CONNECTION_ID]
const command = `memctl connections disconnect ${CONNECTION_ID} --yes`
const ONE = `GET /v1/connectors/${CONNECTION_ID}`
const END = `DELETE /v1/connectors/${CONNECTION_ID}`
const ENDED = { message: `Connection ${CONNECTION_ID} disconnected`, warnings: [] }

async function ended(argv: readonly string[], wishes: Wishes & DeviceWishes = {}) {
  const { fetch, sent } = scriptedService({ [ONE]: ACTIVE, [END]: ENDED })
  const environment = { MEMCTL_API_KEY: 'mk_x', ...wishes.environment }
  const run = await runCli(argv, { ...wishes, fetch, environment })
  return { ...run, isEnded: sent.some(({ method }) => method === 'DELETE') }
}

test('shows the subject, asks, and prints the command that skips the question', async () => {
  const run = await ended(disconnect, { terminals: there, answers: [true] })
  expect(run).toMatchObject({ code: 0, isEnded: true })
  expect(run.questions).toEqual(['Disconnect this account? Its synced memories are kept.'])
  expect(run.stderr).toContain('cloud_drive  ada-1')
  expect(run.stderr).toContain(command)
})

test('exits 1 after declining, changes nothing and reports that', async () => {
  const run = await ended(disconnect, { terminals: there, answers: [false] })
  expect(run).toMatchObject({ code: 1, isEnded: false })
  expect(run.stderr).toContain('error: declined: nothing was disconnected\n')
})

test('in JSON mode, declining prints one line with the code declined', async () => {
  const run = await ended([...disconnect, '--json'], { terminals: there, answers: [false] })
  expect(run).toMatchObject({ code: 1, stdout: '' })
  const line = run.stderr.split('\n').at(-2) ?? ''
  expect(JSON.parse(line).error).toMatchObject({ code: 'declined', exit_code: 1, retryable: false })
})

test('--yes answers yes without asking', async () => {
  expect(await ended([...disconnect, '--yes'], { terminals: there })).toMatchObject({ questions: [], isEnded: true })
})

test.each([
  ['no terminal at all', {}, []],
  ['stdin is no terminal', { terminals: ['errors'] }, []],
  ['stderr is no terminal', { terminals: ['input', 'output'] }, []],
  ['CI', { terminals: there, environment: { CI: 'true' } }, []],
  ['--no-input', { terminals: there }, ['--no-input']]
] as const)(
  'does not ask outside an interactive session (%s), and exits 2 naming the flag',
  async (_name, wishes, flags) => {
    const run = await ended([...disconnect, ...flags], wishes)
    expect(run).toMatchObject({ code: 2, questions: [], isEnded: false })
    expect(run.stderr).toContain(`hint: give --yes: ${command}`)
  }
)

test('in JSON mode outside an interactive session, prints one line with the next command', async () => {
  const run = await ended([...disconnect, '--json'])
  expect(errorLine(run)).toMatchObject({ code: 'input_needed', exit_code: 2, next: [command] })
})

test('CI=false does not count as CI', async () => {
  const run = await ended(disconnect, { terminals: there, environment: { CI: 'false' }, answers: [true] })
  expect(run.questions).toHaveLength(1)
})
