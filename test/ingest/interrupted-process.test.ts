import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { ended, ensureBuilt, runProgram, start } from '../cli/built-program.ts'
import { temporaryFolder } from '../device/device-kit.ts'

beforeAll(ensureBuilt)

/** Messages or notes. They take several appends. */
const ITEMS = 600

const SIGNALS = ['SIGINT', 'SIGKILL'] as const

type Signal = (typeof SIGNALS)[number]

/**
 * Returns the options of Node with which a program sends itself a signal when it starts its nth write to a file. The
 * write is incomplete: half of the bytes.
 */
function interruptAt(write: number, signal: Signal): string[] {
  const code = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { isMainThread } from 'node:worker_threads'
    const { writeSync } = fs
    let left = ${write}
    fs.writeSync = (fd, bytes, from, length, at) => {
      if (fd < 3 || !isMainThread || --left !== 0) return writeSync(fd, bytes, from, length, at)
      const count = writeSync(fd, bytes, from, Math.ceil(length / 2), at)
      process.kill(process.pid, '${signal}')
      return count
    }
    syncBuiltinESMExports()`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** Returns a text that occurs once and makes an append of a few hundred: 1,300 characters, few of which are words. */
function makeText(name: string): string {
  return `The ferry is late: ${name}. ${'.'.repeat(1300)}`
}

function writeChat(home: string): void {
  const mapping = Object.fromEntries(
    Array.from({ length: ITEMS }, (_, n) => {
      const author = { role: n % 2 === 0 ? 'user' : 'assistant' }
      const content = { content_type: 'text', parts: [makeText(`message ${n}`)] }
      const message = { id: `m${n}`, author, create_time: 1_700_000_000 + n, content }
      return [`m${n}`, { id: `m${n}`, message, parent: n === 0 ? null : `m${n - 1}`, children: [`m${n + 1}`] }]
    })
  )
  const chat = { title: 'Chat', conversation_id: 'c1', create_time: 1, mapping, current_node: `m${ITEMS - 1}` }
  writeFileSync(join(home, 'input', 'conversations.json'), JSON.stringify([chat]))
}

function writeNotes(home: string, word: string): void {
  for (let n = 0; n < ITEMS; n++) writeFileSync(join(home, 'input', `${n}.md`), makeText(`${word} ${n}`))
}

function makeHome(): string {
  const home = temporaryFolder()
  mkdirSync(join(home, 'input'))
  return home
}

/** The writes at which runs are interrupted, in turn. The first write after an incomplete line moves that line aside. */
const WRITES = [1, 2, 4]

/** The number of interrupted runs, after which one is left alone: one at each write. `SLOW=1` interrupts each run. */
const INTERRUPTED_MAX = process.env.SLOW ? Number.POSITIVE_INFINITY : WRITES.length

const INGEST = ['ingest', 'input', '--json']

/** Runs the import again and again, interrupted in each run, until one ends. Returns the number of runs. */
async function ingestInterrupted(home: string, signal: Signal): Promise<number> {
  for (let run = 0; ; run++) {
    const write = WRITES[run % WRITES.length] ?? 1
    const child = start(INGEST, home, run < INTERRUPTED_MAX ? interruptAt(write, signal) : [])
    child.stdin?.end()
    const { code, stderr, ...end } = await ended(child)
    if (code === 0) return run + 1
    if (signal === 'SIGKILL') expect(end.signal).toBe('SIGKILL')
    else expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringMatching(/stopped/) })
  }
}

/** Lists the memories of the default snapshot, with the texts that each one replaces. */
async function listMemories(home: string) {
  const { stdout } = await runProgram(['device', 'list', '--jsonl'], home)
  const lines = stdout.trim().split('\n')
  const records: MemoryRecord[] = lines.map((line) => JSON.parse(line))
  const texts = new Map<unknown, string>(records.map(({ id, text }) => [id, text]))
  return records.map(({ id, at, text, conversation, position, supersedes = [] }) => {
    const replaces = supersedes.map((target) => texts.get(target))
    return { id, at, text, conversation, position, replaces }
  })
}

test.each(SIGNALS)('continues a chat export after %s, with the memories of an uninterrupted import', async (signal) => {
  const [home, calm] = [makeHome(), makeHome()]
  for (const one of [home, calm]) writeChat(one)
  await runProgram(INGEST, calm)
  expect(await ingestInterrupted(home, signal)).toBeGreaterThan(2)
  const memories = await listMemories(home)
  expect(memories).toHaveLength(ITEMS)
  expect(memories).toEqual(await listMemories(calm))
})

test.each(SIGNALS)('continues with edited notes after %s, and replaces each earlier text once', async (signal) => {
  const home = makeHome()
  writeNotes(home, 'first')
  await runProgram(INGEST, home)
  writeNotes(home, 'second')
  expect(await ingestInterrupted(home, signal)).toBeGreaterThan(2)
  const memories = await listMemories(home)
  expect(memories).toHaveLength(2 * ITEMS)
  const replacing = memories.filter(({ replaces }) => replaces.length > 0)
  expect(replacing).toHaveLength(ITEMS)
  for (const { text, replaces } of replacing) expect(replaces).toEqual([text.replace('second', 'first')])
})
