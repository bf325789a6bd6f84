import * as z from 'zod'
import { Fault } from '../../contract/faults.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { RecentOptions } from '../../device/device.ts'
import { composeAnswer, countFitting, findLongestText, joinIds } from '../text/compose-answer.ts'
import { cutCharacters, findOrigin, formatRecordHeading, markPart } from '../text/mark-text.ts'
import { defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from './define-tool.ts'

export const readTool = defineTool({
  name: 'memory_read',
  description:
    'Read whole memories by the ids in an answer, with up to `around` turns of their conversation before and after. Use it when a text was cut or needs context. Not for finding memories (memory_search).',
  annotations: READ_ONLY,
  searches: true,
  input: z.strictObject({
    ids: z.array(z.string().max(60)).min(1).max(20),
    around: z.int().min(0).max(10).default(0)
  })
})

export type ReadInput = z.infer<typeof readTool.input>

/** A wanted memory: `from` is where to continue in a text that an earlier answer cut. */
type Wanted = { id: string; from: number }

/** Reads memories with their neighbours, in the order of the ids. */
export async function runRead({ memories, maxChars }: ToolContext, { ids, around }: ReadInput): Promise<ToolAnswer> {
  const wanted = ids.map(parseWanted)
  const found = await memories.read([...new Set(wanted.map(({ id }) => id))], { around })
  const entries: { record: MemoryRecord; from: number; isWanted: boolean }[] = []
  const known = new Set<string>()
  for (const { id, turns } of found) {
    const from = wanted.find((one) => id.startsWith(withPrefix(one.id)))?.from ?? 0
    for (const record of turns) {
      if (known.has(record.id)) continue
      known.add(record.id)
      entries.push({ record, from: record.id === id ? from : 0, isWanted: record.id === id })
    }
  }
  const missing = wanted.filter(({ id }) => !found.some((one) => one.id.startsWith(withPrefix(id)))).map(({ id }) => id)
  const notFound = missing.length === 0 ? [] : [`Not found: ${joinIds(missing)}.`]
  if (entries.length === 0) return { text: notFound.join('\n'), data: { memories: [], missing } }
  const blocks = entries.map(({ record, from, isWanted }) => formatWhole(record, { from, isWanted, maxChars }))
  const count = countFitting(blocks, maxChars)
  const left = entries.slice(count).map(({ record }) => record.id)
  const rest = left.length === 0 ? [] : [`Not shown, read them separately: ${joinIds(left)}.`]
  const first = `${count} ${count === 1 ? 'memory' : 'memories'}.`
  const last = [...rest, ...notFound].join('\n')
  return {
    text: composeAnswer(first, blocks.slice(0, count), last === '' ? undefined : last),
    data: { memories: entries.slice(0, count).map(({ record }) => toMemoryData(record, maxChars)), missing }
  }
}

/** Parses an id, which may end with `@` and the position in the text to continue from. */
function parseWanted(text: string): Wanted {
  const [, id = text, from = '0'] = /^(.*)@(\d{1,9})$/.exec(text) ?? []
  return { id, from: Number(from) }
}

function withPrefix(id: string): string {
  return id.startsWith('mem_') ? id : `mem_${id}`
}

type Shown = { from: number; isWanted: boolean; maxChars: number }

/** Formats one memory with its whole text, or as much of it as fits into an answer. */
function formatWhole(record: MemoryRecord, { from, isWanted, maxChars }: Shown): string {
  const heading = formatRecordHeading(record)
  const { marked, end } = markPart(record.text, Math.min(from, record.text.length), findLongestText(maxChars, heading))
  const notes = [
    ...(isWanted ? [] : ['(neighbour)']),
    ...(from > 0 ? [`(from character ${from})`] : []),
    ...(end < record.text.length ? [`(cut: continue with id "${record.id}@${end}")`] : [])
  ]
  return `${[heading, ...notes].join(' ')}\n${marked}`
}

/** Returns a memory as data for `structuredContent`, with at most `maxChars` of its text. */
function toMemoryData(record: MemoryRecord, maxChars: number): unknown {
  const { id, at, text, speaker, conversation, metadata } = record
  const origin = findOrigin(metadata) ?? null
  return {
    id,
    at,
    text: cutCharacters(text, maxChars),
    speaker: speaker ?? null,
    conversation: conversation ?? null,
    origin
  }
}

export const listTool = defineTool({
  name: 'memory_list',
  description:
    'List memories newest first, by time, speaker or conversation. Use it for "what happened last week" or "the latest notes". Not for a topic (memory_search).',
  annotations: READ_ONLY,
  searches: true,
  input: z.strictObject({
    since: z.string().optional().describe('ISO 8601'),
    until: z.string().optional(),
    speaker: z.string().optional(),
    conversation: z.string().optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().optional()
  })
})

export type ListInput = z.infer<typeof listTool.input>

/** Lists a page of memories. */
export async function runList({ memories, maxChars }: ToolContext, input: ListInput): Promise<ToolAnswer> {
  const { cursor: after, ...filter } = input
  const options: RecentOptions = { ...filter, after }
  const page = await memories.recent(options).catch(explainCursor)
  if (page.records.length === 0) {
    const text = after === undefined ? 'No memory matches these filters.' : 'There are no more memories.'
    return { text, data: { memories: [], total: page.total } }
  }
  const blocks = page.records.map((record) => {
    const { marked, end } = markPart(record.text, 0, LISTED_CHARACTERS_MAX)
    return `${formatRecordHeading(record, end < record.text.length ? ['(cut: memory_read has the rest)'] : [])}\n${marked}`
  })
  const count = countFitting(blocks, maxChars)
  // The place after fewer memories is what a shorter page ends with.
  const next = count < blocks.length ? (await memories.recent({ ...options, limit: count })).next : page.next
  const last = next === null ? undefined : `More: memory_list with the same arguments and cursor "${next}"`
  return {
    text: composeAnswer(`${count} of ${page.total} memories, newest first.`, blocks.slice(0, count), last),
    data: {
      memories: page.records.slice(0, count).map((record) => toMemoryData(record, LISTED_CHARACTERS_MAX)),
      total: page.total,
      cursor: next
    }
  }
}

const LISTED_CHARACTERS_MAX = 600

/** The port names the place `after`; the assistant knows it as the cursor. */
function explainCursor(error: unknown): never {
  if (error instanceof Fault && error.message.includes('`after`'))
    throw new Fault('usage', 'Invalid `cursor`: expected the cursor of an earlier memory_list', {
      hint: 'omit the cursor to start again'
    })
  throw error
}
