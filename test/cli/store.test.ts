import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { memory } from './fake-device.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli, runDevice } from './run-cli.ts'

const stored = (calls: readonly unknown[][]) => calls.find(([name]) => name === 'store')?.[1]

test('stores a text with the details from the flags', async () => {
  const flags = [
    '--speaker',
    'Ada',
    '--conversation',
    'c1',
    '--position',
    '-3',
    '--at',
    '2h',
    '--metadata',
    'k=v',
    '--metadata',
    'n:=1'
  ]
  const run = await runDevice(['store', 'a text', ...flags])
  expect(run.code).toBe(0)
  expect(stored(run.calls)).toEqual({
    text: 'a text',
    speaker: 'Ada',
    conversation: 'c1',
    position: -3,
    at: '2026-05-01T10:00:00.000Z',
    metadata: { k: 'v', n: 1 }
  })
})

test('stores a text without --at without a time', async () => {
  expect(stored((await runDevice(['store', 'x'])).calls)).toMatchObject({ at: undefined, metadata: undefined })
})

test.each([[['']], [['-f', '-']]])('rejects an empty text: %j', async (words) => {
  const run = await runDevice(['store', ...words, '--json'], { stdin: '' })
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(errorLine(run)).toMatchObject({ message: 'the text is empty' })
  expect(stored(run.calls)).toBeUndefined()
})

test('prints the id first in a pipe, and the record in JSON', async () => {
  const id = memory(1, '').id
  expect((await runDevice(['store', 'x'])).stdout).toBe(`${id}\t2026-05-01T12:00:00.000Z\n`)
  expect(JSON.parse((await runDevice(['store', 'x', '--json'])).stdout)).toMatchObject({
    id,
    record: { text: 'x', speaker: null },
    notes: []
  })
})

test('prints the id and the extracted entries on a terminal', async () => {
  const facts = [{ subject: 'Anna', predicate: 'lives in', value: 'Lisbon', rule: 'r', span: [0, 4] }]
  const store = async () => ({
    id: 'mem_1',
    at: '2026-05-01T12:00:00.000Z',
    record: memory(1, 'x', { facts }),
    notes: []
  })
  const run = await runDevice(['store', 'x'], { terminals: ['output'], device: { store } })
  expect(run.stdout).toBe('stored mem_1  2026-05-01 12:00\n\nfacts\n  Anna · lives in · Lisbon\n    “x”  r\n')
})

test.each([
  ['a file', 'note.txt'],
  ['stdin', '-']
])('keeps a text from %s byte for byte', async (_name, from) => {
  const files = memoryFiles()
  files.put('/project/note.txt', 'line one\n\n  line two\n')
  const run = await runDevice(['store', '-f', from], { files, stdin: 'line one\n\n  line two\n' })
  expect(stored(run.calls)).toMatchObject({ text: 'line one\n\n  line two\n' })
})

test.each([
  ['that is missing', ['-f', 'none.txt'], 3],
  ['that is not UTF-8', ['-f', 'bad.txt'], 10],
  ['that is a folder', ['-f', 'folder'], 10],
  ['that is too large', ['-f', 'huge.txt'], 10]
])('rejects a file %s', async (_name, flags, code) => {
  const files = memoryFiles()
  files.put('/project/bad.txt', new Uint8Array([0xff, 0xfe]))
  files.put('/project/huge.txt', new Uint8Array((16 << 20) + 1))
  files.makeFolders('/project/folder')
  const run = await runDevice(['store', ...flags, '--json'], { files })
  expect(run.code).toBe(code)
  expect(errorLine(run).message).toContain(flags[1])
})

test('--dry-run prints the record as it would be stored, and stores nothing', async () => {
  const run = await runDevice(['store', 'x', '--dry-run', '--jsonl'])
  expect(JSON.parse(run.stdout)).toEqual(memory(1, 'x', { at: '2026-05-01T12:00:00.000Z' }))
  expect(run.calls.map(([name]) => name)).not.toContain('store')
})

test('--dry-run before the first store creates no file', async () => {
  const run = await runCli(['device', 'store', 'x', '--dry-run'])
  expect(run.code).toBe(0)
  expect(run.world.files.paths()).toEqual(['/project/a.mem.jsonl'])
})

test('leaves no index of a snapshot from stdin, even after a failure', async () => {
  for (const word of ['list', 'show mem_ffffff']) {
    const { calls } = await runCli(['device', ...word.split(' '), '--snapshot', '-'], { stdin: 'snapshot' })
    const [opened, dropped] = [calls.find(([name]) => name === 'open'), calls.find(([name]) => name === 'dropIndex')]
    expect(dropped).toEqual(['dropIndex', opened?.[1]])
  }
})

test('a report on a snapshot from stdin names no temporary file and no impossible command', async () => {
  const damaged = [{ line: 2, offset: 9, reason: 'is not JSON' }]
  const wishes = { stdin: 'snapshot', verify: { sound: false, damaged } }
  const { code, stdout, stderr } = await runCli(['device', 'verify', '--snapshot', '-', '--json'], wishes)
  expect({ code, path: JSON.parse(stdout).path }).toEqual({ code: 10, path: '-' })
  expect(JSON.parse(stderr).error).toMatchObject({ message: 'stdin: 1 damaged line', next: [] })
})

test('hints keep --snapshot', async () => {
  const device = {
    show: () => {
      throw new Fault('not_found', 'no memory mem_zz', { hint: 'memctl device list' })
    }
  }
  const named = await runDevice(['show', 'mem_ffffff'], { device })
  expect(named.stderr).toContain('hint: memctl device list --snapshot a.mem.jsonl\n')
  const { stderr } = await runDevice(['forget', 'mem_ffffff'])
  expect(stderr).toContain('hint: to remove the text from the file: memctl device compact --snapshot a.mem.jsonl\n')
})

test('the first store creates only the default snapshot', async () => {
  const made = await runCli(['device', 'store', 'x'])
  expect(made.code).toBe(0)
  expect(made.world.files.paths()).toContain('/home/ada/data/memctl.mem.jsonl')
  expect(made.stderr).toContain('Created a new snapshot: /home/ada/data/memctl.mem.jsonl')
  const named = await runCli(['device', 'store', 'x', '--snapshot', 'n.mem.jsonl'])
  expect(named.code).toBe(3)
  expect(named.stderr).toContain('hint: create an empty one: memctl device init /project/n.mem.jsonl')
})

test('two concurrent first stores both succeed', async () => {
  const create = async () => {
    throw new Fault('exists', 'already exists')
  }
  const files = memoryFiles()
  files.put('/home/ada/data/memctl.mem.jsonl', 'made meanwhile')
  let asked = 0
  const { findEntry } = files
  const racing = {
    ...files,
    findEntry: (path: string) => (path.startsWith('/home') && asked++ === 0 ? undefined : findEntry(path))
  }
  const run = await runCli(['device', 'store', 'x'], { files: racing, parts: { create } })
  expect(run.code).toBe(0)
})

test('invalid input creates no snapshot', async () => {
  const refuse = () => {
    throw new Fault('invalid_input', 'bad input')
  }
  for (const words of [['x'], ['--batch', 'f.jsonl']]) {
    const device = { preview: refuse, storeBatch: async () => refuse() }
    const run = await runCli(['device', 'store', ...words], { device })
    expect(run.code).toBe(10)
    expect(run.world.files.paths()).toEqual(['/project/a.mem.jsonl'])
  }
})

test.each([['search', 'x'], ['list'], ['stats']])('%s before the first store exits 3', async (...argv) => {
  const run = await runCli(['device', ...argv])
  expect(run.code).toBe(3)
  expect(run.stderr).toBe(
    'error: nothing has been stored yet\nhint: store something: memctl device store "a text to remember"\n'
  )
})

test('reads the lock wait from the settings', async () => {
  const run = await runDevice(['store', 'x'], { environment: { MEMCTL_LOCK_WAIT: '2s' } })
  expect(run.calls).toContainEqual(['open', '/project/a.mem.jsonl', { lockWaitMs: 2000 }])
})

test('a command that writes rejects a snapshot on stdin', async () => {
  const run = await runCli(['device', 'store', 'x', '--snapshot', '-'])
  expect(run.code).toBe(2)
})

test('reads a snapshot from stdin and leaves no file behind', async () => {
  const run = await runCli(['device', 'list', '--snapshot', '-'], { stdin: 'snapshot', records: [memory(1, 'x')] })
  expect(run.code).toBe(0)
  expect(run.stdout).toContain('x')
  expect(run.world.files.paths()).toEqual(['/project/a.mem.jsonl'])
  expect(run.stderr).toBe('snapshot: stdin\n')
})

/** Files in the current folder, /project, and in the home folder. */
function filesWithNotes() {
  const files = memoryFiles()
  for (const path of ['/project/notes.txt', '/project/b.md', '/project/My Notes/a.txt', '/home/ada/diary.md'])
    files.put(path, 'what is in it\n')
  files.link('/project/gone', '/project/dangling')
  return files
}

test.each([
  ['a file', ['notes.txt'], 'memctl device ingest --snapshot a.mem.jsonl notes.txt stores its contents'],
  ['a file as one memory', ['notes.txt'], 'memctl device store --snapshot a.mem.jsonl -f notes.txt'],
  ['a file by its full path', ['/project/notes.txt'], '-f /project/notes.txt'],
  ['a file by an indirect path', ['./My Notes/../notes.txt'], "-f './My Notes/../notes.txt'"],
  ['a file below an unexpanded ~', ['~/diary.md'], "-f '~/diary.md'"],
  ['a folder with a space', ['My Notes'], "memctl device ingest --snapshot a.mem.jsonl 'My Notes' stores"],
  ['the current folder', ['.'], 'memctl device ingest --snapshot a.mem.jsonl . stores'],
  ['the parent folder', ['..'], 'memctl device ingest --snapshot a.mem.jsonl .. stores'],
  ['the home folder', ['~'], "memctl device ingest --snapshot a.mem.jsonl '~' stores"],
  ['a broken link', ['dangling'], '-f dangling'],
  ['stdin', ['-'], '-f -'],
  ['the paths of an expanded glob', ['notes.txt', 'b.md'], 'for file in notes.txt b.md; do memctl device ingest'],
  [
    'more paths than the hint lists',
    Array.from({ length: 9 }, () => 'b.md'),
    'ingest --snapshot a.mem.jsonl FILE, for each'
  ]
])(
  'rejects the path of %s as a text with exit code 2 and the command that stores the content',
  async (_name, words, hint) => {
    for (const more of [[], ['--dry-run'], ['--json']]) {
      const run = await runDevice(['store', ...words, ...more], { files: filesWithNotes() })
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(JSON.stringify(run.stderr)).toContain(JSON.stringify(hint).slice(1, -1))
      expect(stored(run.calls)).toBeUndefined()
    }
  }
)

test.each([
  ['a text that looks like a path', ['notes.md']],
  ['a path below a file', ['notes.txt/x']],
  ['a glob that matched nothing', ['*.rst']],
  ['a text with a path in it', ['see notes.txt']],
  ['a text of several lines', ['notes.txt\n']],
  ['a text longer than any path', ['x'.repeat(10_000)]],
  ['a path with --text', ['notes.txt', '--text']],
  ['a path after --', ['--', 'notes.txt']],
  ['a folder after --', ['--', '.']],
  ['a hyphen after --', ['--', '-']]
])('stores %s unchanged', async (_name, words) => {
  const run = await runCli(['device', 'store', '--dry-run', '--json', ...words], { files: filesWithNotes() })
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout).text).toBe(words.find((word) => word !== '--' && word !== '--text'))
})

test('stores a path that the system cannot check as a text', async () => {
  const files = filesWithNotes()
  files.refuse('/project/locked', 'EACCES')
  expect((await runDevice(['store', 'locked'], { files })).code).toBe(0)
})

test('rejects several words with exit code 2 and shows them quoted', async () => {
  const run = await runDevice(['store', 'read', 'notes.txt', 'again'], { files: filesWithNotes() })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(
    "hint: quote the text: memctl device store --snapshot a.mem.jsonl 'read notes.txt again'"
  )
})

test('memories add also rejects the path of a file before sending a request', async () => {
  const environment = { MEMCTL_API_KEY: 'mk_x' }
  const run = await runCli(['memories', 'add', 'notes.txt'], { files: filesWithNotes(), environment })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('memctl memories add -f notes.txt')
})
