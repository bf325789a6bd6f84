import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { memory } from './fake-device.ts'
import { errorLine, runCli, runDevice } from './run-cli.ts'

const damaged = [
  { line: 3, offset: 10, reason: 'the check is wrong' },
  { line: 9, offset: 99, reason: 'is no JSON' }
]

const INIT = 'memctl device init /project/none.mem.jsonl'
const EXPORT = 'memctl device export -c COLLECTION -o /project/none.mem.jsonl'
const MISSING = 'the snapshot /project/none.mem.jsonl (set by --snapshot) does not exist'

test('prints a failure as one error line and one hint line', async () => {
  const run = await runCli(['device', 'list', '--snapshot', 'none.mem.jsonl'])
  expect(run.code).toBe(3)
  expect(run.stdout).toBe('')
  expect(run.stderr).toBe(`error: ${MISSING}\nhint: create an empty one: ${INIT}; or export a collection: ${EXPORT}\n`)
})

test('prints a failure in JSON mode as one line on stderr with all fields', async () => {
  const run = await runCli(['device', 'list', '--snapshot', 'none.mem.jsonl', '--json'])
  expect(run.stdout).toBe('')
  expect(run.stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(errorLine(run)).toEqual({
    code: 'snapshot_missing',
    message: MISSING,
    hint: `create an empty one: ${INIT}; or export a collection: ${EXPORT}`,
    exit_code: 3,
    http_status: 404,
    retryable: false,
    next: [INIT, EXPORT]
  })
})

test('suggests creating the folder of a missing snapshot first', async () => {
  const path = "/no where/a'b/none.mem.jsonl"
  const folder = "mkdir -p '/no where/a'\\''b'"
  const listed = errorLine(await runCli(['device', 'list', '--snapshot', path, '--json']))
  const init = "memctl device init '/no where/a'\\''b/none.mem.jsonl'"
  expect(listed.next).toEqual([folder, init])
  expect(listed.hint).toContain(`${folder}, then create an empty one: ${init}`)
  const made = await runCli(['device', 'init', path, '--json'])
  expect(errorLine(made)).toMatchObject({ exit_code: 3, hint: folder, next: [folder] })
})

test.each([
  ['an unknown flag', ['device', 'store', 'x', '--spekaer', 'y', '--json'], 'did you mean --speaker'],
  ['an unknown command', ['device', 'serach', 'x', '--json'], 'did you mean search'],
  ['an unknown group', ['devise', '--json'], 'did you mean device'],
  ['a missing word', ['device', 'show', '--json'], 'memctl device show mem_'],
  ['a missing value', ['device', 'store', 'x', '--json', '--at'], 'memctl device store --help'],
  ['a flag of another command', ['device', 'list', '--query', 'x', '--json'], 'memctl device list --help'],
  ['a bad number', ['device', 'list', '--limit', 'ten', '--json'], '--limit 10'],
  ['a bad group', ['device', 'search', 'x', '--group', 'facts', '--json'], 'semantics'],
  ['no text', ['device', 'store', '--json'], '-f -'],
  ['two sources of text', ['device', 'store', 'x', '-f', 'y', '--json'], 'one of them'],
  ['batch and speaker', ['device', 'store', '--batch', 'f', '--speaker', 'x', '--json'], 'lines of the batch']
])('reports %s as a usage error, in JSON wherever the flag is', async (_name, argv, hint) => {
  const run = await runCli(argv)
  expect(run.code).toBe(2)
  expect(run.stdout).toBe('')
  expect(errorLine(run)).toMatchObject({ code: 'usage', exit_code: 2, hint: expect.stringContaining(hint) })
})

test('omits notes in JSON mode if the command fails', async () => {
  const store = async () => {
    throw new Fault('locked', 'another process holds the lock')
  }
  const run = await runDevice(['store', 'x', '--json', '--verbose'], { device: { store } })
  expect(run.code).toBe(6)
  expect(errorLine(run)).toMatchObject({ code: 'locked', retryable: true, http_status: 409, hint: null, next: [] })
})

test('exits 1 for an unexpected error, with its stack only with --debug', async () => {
  const store = async () => {
    throw new TypeError('undefined is no function')
  }
  const quiet = await runDevice(['store', 'x'], { device: { store } })
  expect(quiet.code).toBe(1)
  expect(quiet.stderr).toContain('error: a bug in memctl: undefined is no function\nhint: ')
  expect(quiet.stderr).not.toContain('    at ')
  const loud = await runDevice(['store', 'x', '--debug'], { device: { store } })
  expect(loud.stderr).toContain('    at ')
})

test('removes control sequences from an external message', async () => {
  const run = await runCli(['device', 'list', '--snapshot', '\u001b[31mx\u202e'])
  expect(run.stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
})

test('names the file and the code of a system error', async () => {
  const { fakeWorld } = await import('./fake-world.ts')
  const { files } = fakeWorld()
  files.refuse('/project/locked.mem.jsonl', 'EACCES')
  const run = await runCli(['device', 'list', '--snapshot', 'locked.mem.jsonl'], { files })
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('/project/locked.mem.jsonl: system error EACCES')
})

test.each([['list'], ['search', 'x']])(
  '%s prints the sound lines, names the damaged ones and exits 10',
  async (...argv) => {
    const records = [memory(1, 'sound')]
    const run = await runDevice(argv, { records, damaged })
    expect(run.code).toBe(10)
    expect(run.stdout).toContain('sound')
    expect(run.stderr).toContain('line 3: the check is wrong\nline 9: is no JSON\n')
    expect(run.stderr).toContain('memctl device verify --snapshot /project/a.mem.jsonl')
  }
)

test('prints the sound lines and one error line for damaged ones in JSON mode', async () => {
  const run = await runDevice(['list', '--json'], { records: [memory(1, 'sound')], damaged })
  expect(run.code).toBe(10)
  expect(JSON.parse(run.stdout)).toHaveLength(1)
  expect(errorLine(run)).toMatchObject({
    code: 'invalid_snapshot',
    message: expect.stringContaining('line 3: the check is wrong; line 9: is no JSON')
  })
})

test('lists the first twenty damaged lines and counts the others', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ line: index + 2, offset: 0, reason: 'bad' }))
  const run = await runDevice(['list'], { damaged: many })
  expect(run.stderr).toContain('line 21: bad\nand 10 more lines\n')
})

test('stats of a damaged snapshot are printed with exit code 10', async () => {
  const run = await runDevice(['stats', '--json'], { damaged })
  expect(run.code).toBe(10)
  expect(JSON.parse(run.stdout)).toMatchObject({ damaged: 2 })
  expect(errorLine(run)).toMatchObject({ code: 'invalid_snapshot' })
})
