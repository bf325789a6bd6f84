import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { bench } from '../device/device-kit.ts'
import { batchOf, ingestPath } from './ingest-kit.ts'
import { toWords, VISIBLE_TEXTS } from './visible-words.ts'

/** Exports of other projects, which a checkout may lack. */
const FIXTURES = new URL('../../../shared/fixtures/ingest', import.meta.url).pathname

const MISSING = 'needs ../shared/fixtures/ingest'

/** Each fixture, its format, and the number of different words that people see in it. */
const CASES = [
  ['echomine/claude/sample_export.json', 'claude', 223],
  ['echomine/claude/tool_messages.json', 'claude', 155],
  ['echomine/content_fidelity/claude_attachments.json', 'claude', 14],
  ['echomine/content_fidelity/claude_voice_note.json', 'claude', 8],
  ['echomine/date_test_conversations.json', 'chatgpt', 11],
  ['echomine/golden_master/001_simple_text/raw.json', 'chatgpt', 547],
  ['echomine/malformed_missing_field.json', 'chatgpt', 0],
  ['chat-miner/telegram/test_single_export.json', 'telegram', 6],
  ['chat-miner/whatsapp/test_ddmmyy_24hrs.txt', 'whatsapp', 10],
  ['chat-miner/whatsapp/test_mmddyyyy_12hrs.txt', 'whatsapp', 10],
  ['slack-export-viewer/testarchive.zip', 'slack', 941],
  ['obsidian-importer/notion-testspace.zip', 'notion', 572]
] as const

/** Returns a new device with what a fixture gives, a query for each memory, and the words of all memories and titles. */
async function ingestFixture(path: string) {
  const { device } = await bench()
  const report = await ingestPath(device, path)
  const records = [...device.list().records]
  const words = new Set(toWords(records.flatMap(({ text, metadata }) => [text, String(metadata?.title ?? '')])))
  return { device, report, memories: toQueries(records), words }
}

const QUERY_WORDS_MAX = 8

/** Makes a query of each memory: its words that the fewest memories have. A text of signs and short words gets none. */
function toQueries(records: readonly MemoryRecord[]): { id: string; query: string }[] {
  const all = records.map(({ id, text }) => ({ id, words: [...new Set(toWords([text]))] }))
  const counts = new Map<string, number>()
  for (const word of all.flatMap(({ words }) => words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return all.flatMap(({ id, words }) => {
    const rare = words
      .filter((word) => word.length > 2)
      .toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))
    return rare.length === 0 ? [] : [{ id, query: rare.slice(0, QUERY_WORDS_MAX).join(' ') }]
  })
}

test.for(CASES)('finds every visible word of %s again', async ([file, format, count], { skip }) => {
  skip(!existsSync(FIXTURES), MISSING)
  const path = join(FIXTURES, file)
  const { device, report, memories, words } = await ingestFixture(path)
  const visible = new Set(toWords(VISIBLE_TEXTS[format]?.(path) ?? []))
  expect(report).toMatchObject({ format, stored: report.lines })
  expect([...visible].filter((word) => !words.has(word))).toEqual([])
  expect(visible.size).toBe(count)
  for (const { id, query } of memories) {
    const { response } = await device.search(query, { limit: 50 })
    expect(
      response.sources.map((source) => source.id),
      query
    ).toContain(id)
  }
  expect(await ingestPath(device, path)).toMatchObject({ stored: 0, known: report.lines })
})

test('finds every visible word of plain messages again', async ({ skip }) => {
  skip(!existsSync(FIXTURES), MISSING)
  let count = 0
  for (const path of listFiles('mail').filter((name) => /\.eml$/.test(name))) {
    const visible = toWords(VISIBLE_TEXTS.mail?.(path) ?? [])
    const { words } = await ingestFixture(path)
    expect(
      visible.filter((word) => !words.has(word)),
      path
    ).toEqual([])
    count += visible.length
  }
  expect(count).toBeGreaterThan(1)
})

test('reads every file with an account that adds up', async ({ skip }) => {
  skip(!existsSync(FIXTURES), MISSING)
  for (const path of listFiles('.')) {
    const { report } = await batchOf(path)
    expect(report.seen, path).toBe(report.taken + report.merged + report.left_out)
    expect(report.seen, path).toBeGreaterThan(0)
  }
})

function listFiles(folder: string): string[] {
  return readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(FIXTURES, folder, name))
    .filter((path) => statSync(path).isFile())
}
