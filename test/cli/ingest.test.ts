import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deviceModule } from '../../bin/device-module.ts'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { main } from '../../src/cli/program/main.ts'
import { bench } from '../device/device-kit.ts'
import { folderOf } from '../ingest/ingest-kit.ts'
import { fakeWorld, type Wishes } from './fake-world.ts'
import { testModules } from './test-modules.ts'

const NOTES = { 'a.md': 'The ferry leaves at nine.', 'b.md': 'The harbour is closed.', 'c.png': 'x' }

/** Runs `ingest` on real files, with an empty snapshot. */
async function runIngest(
  argv: readonly string[],
  { files = NOTES, ...wishes }: { files?: Record<string, string> } & Omit<Wishes, 'files'> = {}
) {
  const { path, device, folder } = await bench()
  const input = folderOf(files)
  const world = { ...fakeWorld(wishes), files: nodeFiles, clock: nodeClock }
  world.folders = { ...world.folders, current: input, temporary: folder, cache: join(folder, 'cache') }
  const words = argv.map((word) => (word === 'PATH' ? input : word.replace('OUT', folder)))
  const code = await main([...words, '--snapshot', path], world, testModules(deviceModule))
  return { ...world.said, code, device, folder, input, memories: () => [...device.list().records] }
}

test('stores the notes of a folder, and says in one line on stderr what was left out', async () => {
  const run = await runIngest(['device', 'ingest', 'PATH', '--json'])
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ format: 'markdown', seen: 3, taken: 2, left_out: 1, stored: 2 })
  expect(run.stderr).toBe('taken 2 of 3; left out: 1 image\n')
  expect(run.memories().map(({ text }) => text)).toEqual(Object.values(NOTES).slice(0, 2))
})

test('is also called memctl ingest, and shows a person what was taken', async () => {
  const run = await runIngest(['ingest', 'PATH'], { terminals: ['output'] })
  expect(run.stdout).toMatch(/format +markdown\ntaken +0 of 1 file, 2 of 2 notes\nstored +2 memories of 2 lines in/)
})

test('shows a sample in a dry run, and stores nothing', async () => {
  const run = await runIngest(['ingest', 'PATH', '--dry-run'], { terminals: ['output'] })
  expect(run.stdout).toContain('| The ferry leaves at nine.')
  expect(run.stdout).toMatch(/would store +2 memories/)
  expect(run.memories()).toEqual([])
})

test('fails with exit code 9 after storing if --fail-on-loss is given and something was left out', async () => {
  const run = await runIngest(['ingest', 'PATH', '--fail-on-loss'])
  expect(run.code).toBe(9)
  expect(run.memories()).toHaveLength(2)
  const complete = await runIngest(['ingest', 'PATH', '--fail-on-loss', '--only', '*.txt'], {
    files: { 'a.txt': 'Rain.' }
  })
  expect(complete.code).toBe(0)
})

test('counts the files that --only leaves out', async () => {
  const run = await runIngest(['ingest', 'PATH', '--only', 'a.md', '--json'])
  expect(JSON.parse(run.stdout)).toMatchObject({ seen: 3, taken: 1, losses: [{ reason: 'excluded', count: 2 }] })
})

test('writes the report with examples to a file', async () => {
  const run = await runIngest(['ingest', 'PATH', '--report', 'OUT/report.json'])
  const report = JSON.parse(readFileSync(join(run.folder, 'report.json'), 'utf8'))
  expect(report.losses).toEqual([{ kind: 'file', reason: 'image', count: 1, examples: ['c.png'] }])
})

test('writes a batch that device store --batch accepts, instead of storing', async () => {
  const run = await runIngest(['ingest', 'PATH', '-o', 'OUT/batch.jsonl'])
  expect(run.memories()).toEqual([])
  expect(await run.device.storeBatch({ file: join(run.folder, 'batch.jsonl') })).toMatchObject({ stored: 2 })
  const stdout = await runIngest(['ingest', 'PATH', '-o', '-'])
  expect(
    stdout.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).raw_text)
  ).toEqual(Object.values(NOTES).slice(0, 2))
})

test('does not overwrite an existing batch', async () => {
  const { folder } = await bench()
  writeFileSync(join(folder, 'batch.jsonl'), 'mine')
  const run = await runIngest(['ingest', 'PATH', '-o', join(folder, 'batch.jsonl')])
  expect(run.code).toBe(6)
  expect(readFileSync(join(folder, 'batch.jsonl'), 'utf8')).toBe('mine')
})

/** The time between two sweeps, for which no other part of the program waits. */
const SWEEP_MS = 30_000

test('watches a folder until Ctrl-C, and writes an event for each change', async () => {
  const { path, folder } = await bench()
  const input = folderOf(NOTES)
  const world = { ...fakeWorld(), files: nodeFiles }
  world.folders = { ...world.folders, current: input, temporary: folder, cache: join(folder, 'cache') }
  const steps = [() => writeFileSync(join(input, 'a.md'), 'The ferry leaves at ten.'), () => world.interrupt('SIGINT')]
  world.clock = {
    ...nodeClock,
    wait: async (ms, signal) => {
      if (ms === SWEEP_MS) steps.shift()?.()
      signal?.throwIfAborted()
    }
  }
  const argv = ['ingest', input, '--watch', '--jsonl', '--snapshot', path]
  expect(await main(argv, world, testModules(deviceModule))).toBe(130)
  const events = world.said.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events).toMatchObject([
    { event: 'done', stored: 2, superseded: 0 },
    { event: 'done', stored: 1, superseded: 1 }
  ])
  expect(world.said.stderr).toContain('watching for changes; stop with Ctrl-C\n')
})

test('reads stdin', async () => {
  const run = await runIngest(['ingest', '-', '--json'], { stdin: 'The ferry leaves at nine.' })
  expect(JSON.parse(run.stdout)).toMatchObject({ stored: 1 })
})

test.each([
  ['a path that does not exist', ['ingest', '/nonexistent/x'], 3],
  ['an unknown format', ['ingest', 'PATH', '--from', 'nothing'], 2],
  ['an unknown time zone', ['ingest', 'PATH', '--tz', 'Mars/Olympus'], 2],
  ['--watch of stdin', ['ingest', '-', '--watch'], 2],
  ['--watch together with --dry-run', ['ingest', 'PATH', '--watch', '--dry-run'], 2],
  ['--dry-run together with --output', ['ingest', 'PATH', '--dry-run', '-o', 'OUT/x'], 2]
])('refuses %s', async (_name, argv, code) => {
  const run = await runIngest(argv)
  expect(run).toMatchObject({ code, stdout: '' })
  expect(run.stderr).toContain('hint: ')
  expect(existsSync(join(run.folder, 'x'))).toBe(false)
})
