import { expect, test } from 'vitest'
import { memory, NO_DIFFERENCE } from './fake-device.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli, runDevice } from './run-cli.ts'

const inGit = () => {
  const files = memoryFiles()
  files.makeFolders('/project/.git')
  return files
}

test('init creates the given file, or else one in the current folder', async () => {
  expect((await runCli(['device', 'init', 'x.mem.jsonl'])).stdout).toBe(`/project/x.mem.jsonl\tsnp_${'0'.repeat(32)}\n`)
  expect((await runCli(['device', 'init'])).calls).toContainEqual(['create', '/project/memctl.mem.jsonl', {}])
  const named = await runCli(['device', 'init'], { environment: { MEMCTL_SNAPSHOT: '/n.mem.jsonl' } })
  expect(named.calls.map(([, path]) => path)).toContain('/n.mem.jsonl')
})

test('init does not overwrite a file', async () => {
  const run = await runCli(['device', 'init', 'a.mem.jsonl', '--json'])
  expect(run.code).toBe(6)
  expect(errorLine(run)).toMatchObject({ code: 'exists' })
})

test('init to stdout prints the snapshot and leaves no file', async () => {
  const run = await runCli(['device', 'init', '-', '--format', 'json'])
  expect(run.code).toBe(0)
  expect(run.world.files.paths()).toEqual(['/project/a.mem.jsonl'])
})

test('--gitattributes adds the merge attribute once', async () => {
  const files = inGit()
  files.put('/project/.gitattributes', '*.png binary')
  await runCli(['device', 'init', 'x.mem.jsonl', '--gitattributes'], { files })
  await runCli(['device', 'init', 'y.mem.jsonl', '--gitattributes'], { files })
  expect(files.text('/project/.gitattributes')).toBe('*.png binary\n*.mem.jsonl -text merge=union\n')
})

test('init in a work tree asks in an interactive session, and otherwise shows what to add', async () => {
  const files = inGit()
  const asked = await runCli(['device', 'init', 'x.mem.jsonl'], {
    files,
    terminals: ['input', 'errors'],
    answers: [true]
  })
  expect(asked.questions).toHaveLength(1)
  expect(files.text('/project/.gitattributes')).toBe('*.mem.jsonl -text merge=union\n')
  const alone = await runCli(['device', 'init', 'x.mem.jsonl'], { files: inGit() })
  expect(alone.code).toBe(0)
  expect(alone.stderr).toContain('hint: to merge without conflicts, add this line to /project/.gitattributes')
  expect(alone.world.files.text('/project/.gitattributes')).toBeUndefined()
})

test('--no-gitattributes neither asks nor changes the file', async () => {
  const run = await runCli(['device', 'init', 'x.mem.jsonl', '--no-gitattributes'], {
    files: inGit(),
    terminals: ['input', 'errors']
  })
  expect(run.questions).toEqual([])
  expect(run.world.files.text('/project/.gitattributes')).toBeUndefined()
  expect(run.stderr).toBe('')
})

test('verify exits 0 for a sound snapshot, and 10 with a report for a damaged one', async () => {
  expect((await runDevice(['verify'])).code).toBe(0)
  const damaged = [{ line: 3, offset: 1, reason: 'bad check' }]
  const run = await runDevice(['verify', '--json'], { verify: { sound: false, damaged } })
  expect(run.code).toBe(10)
  expect(JSON.parse(run.stdout)).toMatchObject({ sound: false, damaged })
  expect(errorLine(run)).toMatchObject({ code: 'invalid_snapshot', next: [expect.stringContaining('--skip-damaged')] })
})

test('verify reports lost memories', async () => {
  const run = await runDevice(['verify'], { verify: { sound: false, lost: 2, lost_reason: '2 known ids are missing' } })
  expect(run.code).toBe(10)
  expect(run.stderr).toContain('2 known ids are missing')
})

test('verify warns about an unfinished tail, and exits 9 only with --fail-on-warning', async () => {
  const verify = { tail: { bytes: 12, sound: false } }
  const calm = await runDevice(['verify'], { verify })
  expect(calm.code).toBe(0)
  expect(calm.stderr).toContain('warning: unfinished last line of 12 bytes')
  const strict = await runDevice(['verify', '--fail-on-warning', '--json'], { verify })
  expect(strict.code).toBe(9)
  expect(JSON.parse(strict.stdout)).toMatchObject({ tail: { bytes: 12 } })
  expect(errorLine(strict)).toMatchObject({ code: 'warnings' })
})

test('compact passes on its options and prints the report', async () => {
  const run = await runDevice(['compact', '--drop-forgets', '--skip-damaged', '--format', 'json', '--json'])
  expect(run.calls).toContainEqual([
    'compact',
    expect.objectContaining({ dropForgets: true, skipDamaged: true, reExtract: false, format: 'json' })
  ])
  expect(JSON.parse(run.stdout)).toMatchObject({ bytes_before: 2048, bytes_after: 1024 })
})

const difference = {
  ...NO_DIFFERENCE,
  equal: false,
  memories: {
    ...NO_DIFFERENCE.memories,
    added: [{ id: 'mem_1', at: '2026-01-01T00:00:00.000Z', speaker: null, text: 'new' }]
  },
  facts: {
    ...NO_DIFFERENCE.facts,
    revalued: [{ subject: 'Anna', predicate: 'lives in', from: ['Rome'], to: ['Lisbon'] }]
  }
}

test('diff prints rows in a pipe and marked lines on a terminal', async () => {
  const argv = ['device', 'diff', 'a.mem.jsonl', 'b.mem.jsonl']
  expect((await runCli(argv, { diff: difference })).stdout).toBe(
    'added\tmemory\tmem_1\t2026-01-01T00:00:00.000Z\t\tnew\nrevalued\tfact\tAnna\tlives in\t["Rome"]\t["Lisbon"]\n'
  )
  expect((await runCli(argv, { diff: difference, terminals: ['output'] })).stdout).toBe(
    '+ mem_1  2026-01-01 00:00  new\n~ fact Anna · lives in: Rome → Lisbon\n'
  )
})

test('diff --exit-code exits 11 if the snapshots differ, and otherwise 0', async () => {
  const argv = ['device', 'diff', 'a.mem.jsonl', 'b.mem.jsonl', '--exit-code', '--json']
  const differs = await runCli(argv, { diff: difference })
  expect(differs.code).toBe(11)
  expect(JSON.parse(differs.stdout)).toEqual(difference)
  expect((await runCli(argv)).code).toBe(0)
  expect((await runCli(argv.slice(0, 4), { diff: difference })).code).toBe(0)
})

test('diff reads one side from stdin', async () => {
  const run = await runCli(['device', 'diff', '-', 'b.mem.jsonl'], { stdin: 'x' })
  expect(run.calls).toContainEqual(['diff', expect.stringMatching(/^\/tmp\/memctl-/), '/project/b.mem.jsonl'])
  expect((await runCli(['device', 'diff', '-', '-'])).code).toBe(2)
})

test('merge passes on files, base and flags', async () => {
  const argv = ['device', 'merge', 'a', 'b', '-o', 'out', '--base', 'c', '--force']
  const run = await runCli(argv)
  const asked = {
    inputs: ['/project/a', '/project/b'],
    base: '/project/c',
    output: '/project/out',
    force: true,
    lockWaitMs: 30_000
  }
  expect(run.calls).toContainEqual(['merge', expect.objectContaining(asked)])
})

test('merge to stdout prints the complete result and leaves no file', async () => {
  const run = await runCli(['device', 'merge', '-', 'a.mem.jsonl', '-o', '-'], { stdin: 'x' })
  expect(run.stdout).toBe('merged\n')
  expect(run.world.files.paths()).toEqual(['/project/a.mem.jsonl'])
})

test.each([
  ['with an ancestor', 'ancestor', '/project/base'],
  ['with the empty file that git passes for no ancestor', '', undefined]
])('merge --git-driver writes to its second file without output, %s', async (_name, text, base) => {
  const files = memoryFiles()
  files.put('/project/base', text)
  const run = await runCli(['device', 'merge', '--git-driver', 'base', 'ours', 'theirs'], { files })
  expect(run.code).toBe(0)
  expect(run.stdout + run.stderr).toBe('')
  const asked = { inputs: ['/project/ours', '/project/theirs'], base, output: '/project/ours', force: true }
  expect(run.calls).toContainEqual(['merge', expect.objectContaining(asked)])
})

test.each([
  ['no output', ['a', 'b']],
  ['two from stdin', ['-', '-', '-o', 'x']],
  ['a driver with two files', ['--git-driver', 'a', 'b']]
])('merge rejects %s', async (_name, words) => {
  expect((await runCli(['device', 'merge', ...words])).code).toBe(2)
})

test('show prints a whole memory by its shortened id', async () => {
  const records = [memory(0xabc, 'whole text', { metadata: { k: 'v' } })]
  const run = await runDevice(['show', 'mem_0000'], { records, terminals: ['output'] })
  expect(run.stdout).toContain('metadata  {"k":"v"}')
  expect(run.stdout).toContain('\n\n| whole text\n')
  expect((await runDevice(['show', 'mem_ffffff'], { records })).code).toBe(3)
})
