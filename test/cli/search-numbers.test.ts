import { expect, test } from 'vitest'
import { memory } from './fake-device.ts'
import { NOW } from './fake-world.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'
import { errorLine, runCli, runDevice, SNAPSHOT } from './run-cli.ts'

const RECORDS = [memory(1, 'Ada likes tea', { speaker: 'Ben' }), memory(2, 'Ada likes the sea')]
const PERSON = { terminals: ['input', 'output', 'errors'] as const, session: 'a shell', records: RECORDS }

type Wishes = NonNullable<Parameters<typeof runDevice>[1]>

/** Searches on a terminal, and returns the files with the numbers of the screen. */
async function searchedFiles(more: Wishes = {}): Promise<MemoryFiles> {
  const files = memoryFiles()
  const run = await runDevice(['search', 'Ada'], { ...PERSON, files, ...more })
  expect(run.code).toBe(0)
  return files
}

function screens(files: MemoryFiles): string[] {
  return files.paths().filter((path) => path.startsWith('/home/ada/cache/screens/'))
}

test('keeps the ids of a search screen in one file of the session, without any text', async () => {
  const files = await searchedFiles()
  const [path = '', ...others] = screens(files)
  expect(others).toEqual([])
  const entries = RECORDS.map(({ id }) => ({ id, exchange: [] }))
  expect(JSON.parse(files.text(path) ?? '')).toEqual({ snapshot: SNAPSHOT, at: NOW, entries })
})

test.each(['show', 'why'])('%s takes a number of the last search', async (command) => {
  const files = await searchedFiles()
  const run = await runDevice([command, '2', '--json'], { ...PERSON, files })
  expect(JSON.parse(run.stdout)).toMatchObject({ id: RECORDS[1]?.id })
})

test('takes six digits as the beginning of an id, and mem_1 too', async () => {
  const files = await searchedFiles()
  const run = await runDevice(['show', '000000', '--json'], { ...PERSON, files })
  expect(errorLine(run)).toMatchObject({ message: 'there is no memory 000000' })
  const prefixed = await runDevice(['show', 'mem_1', '--json'], { ...PERSON, files })
  expect(errorLine(prefixed)).toMatchObject({ message: 'there is no memory mem_1' })
})

test('forget shows the memory of a number and asks, even with --yes', async () => {
  const files = await searchedFiles()
  const declined = await runDevice(['forget', '1', '--yes'], { ...PERSON, files, answers: [false] })
  expect(declined).toMatchObject({ code: 1, questions: ['Permanently forget this memory?'] })
  expect(declined.stderr).toContain('Ben: Ada likes tea')
  expect(declined.calls.some(([name]) => name === 'forget')).toBe(false)
  const confirmed = await runDevice(['forget', '1'], { ...PERSON, files, answers: [true] })
  expect(confirmed.calls.find(([name]) => name === 'forget')?.[1]).toEqual([RECORDS[0]?.id])
  expect(confirmed.stderr).toContain(`memctl device forget ${RECORDS[0]?.id}`)
})

test('correct shows the memory of a number and asks, unless --yes is given', async () => {
  const files = await searchedFiles()
  const declined = await runDevice(['correct', '2', 'the lake'], { ...PERSON, files, answers: [false] })
  expect(declined).toMatchObject({ code: 1, questions: ['Correct this memory?'] })
  expect(declined.stderr).toContain('Ada likes the sea')
  const assumed = await runDevice(['correct', '2', 'the lake', '--yes'], { ...PERSON, files })
  expect(assumed).toMatchObject({ code: 0, questions: [] })
  expect(assumed.calls.find(([name]) => name === 'correct')?.slice(1, 3)).toEqual([RECORDS[1]?.id, 'the lake'])
})

test.each<[string, Wishes]>([
  ['without a terminal', { terminals: [] }],
  ['in CI', { environment: { CI: 'true' } }],
  ['where the system cannot identify the session', { session: '' }]
])('refuses a number %s', async (what, wishes) => {
  const files = await searchedFiles()
  const { session: _, ...unidentified } = PERSON
  const person = what.startsWith('where') ? unidentified : PERSON
  const run = await runDevice(['show', '1', '--json'], { ...person, files, ...(wishes.session === '' ? {} : wishes) })
  expect(run.code).toBe(2)
  expect(errorLine(run)).toMatchObject({ code: 'usage', hint: expect.stringContaining('memctl device search') })
})

const LOST = 'no search of the last 30 minutes in this terminal'

test.each<[string, { number: string; message: string; wishes?: Wishes }]>([
  ['before any search', { number: '1', message: LOST, wishes: { files: memoryFiles() } }],
  ['of another session', { number: '1', message: LOST, wishes: { session: 'another shell' } }],
  ['out of range', { number: '3', message: 'the last search has the entries 1 to 2: received 3' }],
  ['zero', { number: '0', message: 'the last search has the entries 1 to 2: received 0' }]
])('refuses a number %s with the command to search again', async (_what, { number, message, wishes }) => {
  const files = await searchedFiles()
  const run = await runDevice(['show', number, '--json'], { ...PERSON, files, ...wishes })
  expect(run.code).toBe(3)
  expect(errorLine(run)).toMatchObject({
    message: expect.stringContaining(message),
    next: ['memctl device search "a question" --snapshot a.mem.jsonl']
  })
})

test('refuses a number of another snapshot', async () => {
  const files = await searchedFiles()
  files.put('/project/b.mem.jsonl', 'a snapshot\n')
  const run = await runCli(['device', 'show', '1', '--snapshot', 'b.mem.jsonl', '--json'], { ...PERSON, files })
  expect(errorLine(run)).toMatchObject({ message: expect.stringContaining(`1 is a number of a search in ${SNAPSHOT}`) })
})

test('refuses a number after 30 minutes, and removes old files at the next search', async () => {
  const files = await searchedFiles()
  const [path = ''] = screens(files)
  const screen = JSON.parse(files.text(path) ?? '')
  files.put(path, JSON.stringify({ ...screen, at: NOW - 30 * 60 * 1000 - 1 }))
  expect(await runDevice(['show', '1'], { ...PERSON, files })).toMatchObject({ code: 3 })
  await searchedFiles({ files, session: 'another shell' })
  expect(screens(files)).not.toContain(path)
})

test('writes no numbers without a terminal, and searches with a cache folder that cannot be written', async () => {
  const files = memoryFiles()
  await runDevice(['search', 'Ada', '--json'], { ...PERSON, files })
  await runDevice(['search', 'Ada'], { records: RECORDS, files, terminals: ['output'] })
  expect(screens(files)).toEqual([])
  const full = memoryFiles()
  const open = full.open
  full.open = (path, access, mode) => {
    if (path.includes('/screens/')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return open(path, access, mode)
  }
  const run = await runDevice(['search', 'Ada'], { ...PERSON, files: full })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Ada likes tea') })
})
