import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ended, ensureBuilt, runProgram, start } from '../cli/built-program.ts'
import { temporaryFolder } from '../device/device-kit.ts'

beforeAll(ensureBuilt)

test('follows a folder: new, edited, replaced, renamed and deleted notes, until Ctrl-C', async () => {
  const home = temporaryFolder()
  const input = join(home, 'input')
  mkdirSync(join(input, 'below'), { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(input, name), text)
  write('ferry.md', 'The ferry leaves at nine.')
  write('harbour.md', 'The harbour is closed.')
  const child = start(['ingest', 'input', '--watch', '--jsonl', '--prune', '--yes'], home)
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin?.end()
  const end = ended(child)
  const lines = createInterface(child.stdout ?? Readable.from([]))[Symbol.asyncIterator]()
  const counts = { stored: 0, renamed: 0, pruned: 0 }
  /** Reads reports until this many memories were stored, renamed or pruned in all. A test that waits for more hangs. */
  const reach = async (kind: keyof typeof counts, count: number): Promise<void> => {
    while (counts[kind] < count) {
      const report = JSON.parse((await lines.next()).value)
      // An import that takes long, as on a busy machine, writes its progress first.
      if (!('renamed' in report)) continue
      for (const one of ['stored', 'renamed', 'pruned'] as const) counts[one] += report[one]
    }
  }
  await reach('stored', 2)
  write('below/lamp.md', 'The lamp is lit.')
  await reach('stored', 3)
  write('ferry.md', 'The ferry leaves at ten.')
  await reach('stored', 4)
  write('.harbour.md.new', 'The harbour is open.')
  renameSync(join(input, '.harbour.md.new'), join(input, 'harbour.md'))
  await reach('stored', 5)
  renameSync(join(input, 'harbour.md'), join(input, 'below', 'port.md'))
  await reach('renamed', 1)
  rmSync(join(input, 'below', 'lamp.md'))
  // The two earlier texts of edited notes, and the deleted note.
  await reach('pruned', 3)
  child.kill('SIGINT')
  expect(await end).toMatchObject({ code: 130, stderr: expect.stringContaining('what was stored stays') })
  expect(counts).toEqual({ stored: 5, renamed: 1, pruned: 3 })
  const { stdout } = await runProgram(['device', 'list', '--jsonl'], home)
  const texts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).text)
  expect(texts.sort()).toEqual(['The ferry leaves at ten.', 'The harbour is open.'])
})
