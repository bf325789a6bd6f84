import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ended, ensureBuilt, OFFLINE, PROGRAM, runProgram, start } from './built-program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-process-'))
let home = scratch
let count = 0

beforeAll(ensureBuilt)
beforeEach(() => {
  home = join(scratch, String(++count))
  mkdirSync(home)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A batch that is much larger than the buffer of a pipe. */
const LINES = 5000
const batch = Array.from(
  { length: LINES },
  (_, n) => `${JSON.stringify({ raw_text: `memory ${n} ${'x'.repeat(150)}` })}\n`
).join('')

const fillHome = async () => {
  expect(await runProgram(['device', 'init', 'memctl.mem.jsonl'], home)).toMatchObject({ code: 0 })
  expect(await runProgram(['device', 'store', '--batch', '-'], home, batch)).toMatchObject({ code: 0 })
}

test.each([['--version'], ['--help'], ['help', 'formats'], ['device', 'store', '--help']])(
  '%s %s accesses no files',
  async (...args) => {
    const run = await runProgram(args, home)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).not.toBe('')
    expect(readdirSync(home)).toEqual([])
  }
)

test('one process finds what another has stored', async () => {
  const stored = await runProgram(['device', 'store', 'Anna moved to Lisbon', '--json'], home)
  const { id } = JSON.parse(stored.stdout)
  const found = await runProgram(['device', 'search', 'who moved to Lisbon?', '--json'], home)
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(found.stdout).sources[0]).toMatchObject({ id, text: 'Anna moved to Lisbon' })
})

test('stores and searches in a process where every use of the network throws', async () => {
  const offline = ['--import', OFFLINE]
  for (const args of [
    ['device', 'store', 'the sea is blue'],
    ['device', 'search', 'sea']
  ]) {
    const child = start(args, home, offline)
    child.stdin?.end()
    expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('mem_') })
  }
})

test.each([
  'await fetch("http://127.0.0.1:9")',
  '(await import("node:net")).connect(9, "127.0.0.1")',
  '(await import("node:http")).get("http://127.0.0.1:9")',
  'new (await import("node:net")).Socket().connect(9)',
  'await (await import("node:dns/promises")).lookup("localhost")',
  '(await import("node:dns")).resolve("localhost", () => undefined)',
  '(await import("node:dgram")).createSocket("udp4")',
  '(await import("node:tls")).connect(9)',
  '(await import("node:net")).createServer().listen(0)'
])('`%s` throws if the network is off', (code) => {
  const args = ['--import', OFFLINE, '--input-type=module', '--eval', code]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain('the network is off')
})

test('writes a large result completely to a slow reader', async () => {
  await fillHome()
  const child = start(['device', 'list', '--jsonl'], home)
  child.stdin?.end()
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(text.trimEnd().split('\n')).toHaveLength(LINES)
  expect(text.endsWith('}\n')).toBe(true)
})

test('ends quietly when the reader ends', async () => {
  await fillHome()
  const child = start(['device', 'list', '--jsonl'], home)
  child.stdin?.end()
  const end = ended(child)
  await once(child.stdout ?? child, 'data')
  child.stdout?.destroy()
  expect(await end).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test.each([
  ['SIGINT', 130, 'cancelled'],
  ['SIGTERM', 143, 'terminated']
] as const)(
  '%s ends a batch that waits for input, exit %i, and acknowledged memories are stored',
  async (name, code, fault) => {
    const child = start(['device', 'store', '--batch', '-', '--jsonl'], home)
    const end = ended(child)
    child.stdin?.write('{"raw_text":"kept before the signal"}\n')
    await untilStored(home)
    child.kill(name)
    const { stderr, ...rest } = await end
    expect(rest).toMatchObject({ code, signal: null })
    expect(JSON.parse(stderr).error).toMatchObject({ code: fault, exit_code: code })
    const list = await runProgram(['device', 'list', '--json'], home)
    expect(JSON.parse(list.stdout)).toHaveLength(1)
  }
)

test('does not hang without a terminal while stdin stays open', async () => {
  const child = start(['device', 'store'], home)
  expect(await ended(child)).toMatchObject({ code: 2, stdout: '' })
})

test('fails if the disk refuses the output', async ({ skip }) => {
  skip(process.platform !== 'linux', 'needs /dev/full')
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'help', 'formats'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8'
  })
  expect(status).toBe(1)
  expect(stderr).toContain('stdout: system error ENOSPC')
})

test('a damaged settings file stops the command with an error that names it', async () => {
  expect(await runProgram(['config', 'set', 'lock_wait', '5s'], home)).toMatchObject({ code: 0 })
  const { stdout } = await runProgram(['config', 'path'], home)
  expect(JSON.parse(readFileSync(stdout.trim(), 'utf8'))).toEqual({ lock_wait: '5s' })
  const { code, stderr } = await runProgram(['config', 'get', 'lock_wait', '--json'], home)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

/** Resolves when the default snapshot contains a memory. */
async function untilStored(folder: string): Promise<void> {
  const path = join(folder, '.local/share/memctl/memctl.mem.jsonl')
  for (;;) {
    const { stdout } = spawnSync('cat', [path], { encoding: 'utf8' })
    if (stdout.includes('kept before the signal')) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}
