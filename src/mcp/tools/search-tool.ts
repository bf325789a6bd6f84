import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Fault } from '../../contract/faults.ts'
import { GROUPS, type Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { Memories } from '../port/memories.ts'
import { composeAnswer, countFitting } from '../text/compose-answer.ts'
import {
  cutCharacters,
  findOrigin,
  formatHeading,
  type HeadingParts,
  markPart,
  markText,
  toHeadingParts
} from '../text/mark-text.ts'
import { defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from './define-tool.ts'

const LIMIT_MAX = 50

export const searchTool = defineTool({
  name: 'memory_search',
  description:
    'Search stored memories (notes, chats, mail, facts) by a question or words; best first. Use it before answering about people, decisions, preferences or past events. Not for general knowledge, nor to list by date (memory_list).',
  annotations: READ_ONLY,
  searches: true,
  input: z.strictObject({
    query: z.string().max(4000),
    limit: z.int().min(1).max(LIMIT_MAX).default(8),
    groups: z.array(z.enum(GROUPS)).min(1).max(4).optional(),
    as_of: z.string().optional().describe('what held at this time (ISO 8601)'),
    known_at: z.string().optional().describe('only stored by then'),
    since: z.string().optional(),
    until: z.string().optional(),
    speaker: z.string().optional(),
    cursor: z.string().optional().describe('from the last answer, same query')
  })
})

export type SearchInput = z.infer<typeof searchTool.input>

/** Searches, and returns the best entries of all groups in one list. */
export async function runSearch(
  { memories, maxChars }: ToolContext,
  { cursor, ...input }: SearchInput
): Promise<ToolAnswer> {
  const from = cursor === undefined ? 0 : parseCursor(cursor, input)
  const { query, limit, ...options } = input
  const response = await memories.search(query, { ...options, limit: Math.min(from + limit, ENTRIES_MAX) + 1 })
  const ranked = rankEntries(response)
  const entries = ranked.slice(from, from + limit)
  if (entries.length === 0) return { text: from > 0 ? NO_MORE : describeNothing(query), data: { entries: [] } }
  const described = await describeSources(memories, response, entries)
  const blocks = entries.map((entry, place) => formatEntry(entry, described(entry), from + place + 1))
  const count = countFitting(blocks, maxChars)
  const end = from + count
  const next = ranked.length > end && end < ENTRIES_MAX ? formatCursor(end, input) : undefined
  const last = next === undefined ? undefined : `More: memory_search with the same arguments and cursor "${next}"`
  const first = `${count} ${count === 1 ? 'entry' : 'entries'}, best first.`
  return {
    text: composeAnswer(first, blocks.slice(0, count), last),
    data: { entries: entries.slice(0, count).map((entry) => toData(entry, described(entry))), cursor: next ?? null }
  }
}

/** The last entry that can be reached with cursors. */
const ENTRIES_MAX = 400

const NO_MORE = 'There are no more entries.'

function describeNothing(query: string): string {
  return query.trim() === ''
    ? 'The query is empty, so nothing was searched. memory_list lists memories without a query.'
    : 'No memory matches. Try other words or fewer filters; memory_list lists memories by date.'
}

/** An entry of an answer. `ids` are the memories that support it. */
type Entry = {
  kind: 'fact' | 'procedure' | 'episode' | 'memory'
  score: number
  ids: readonly string[]
  at: string | null
  text: string
  notes: readonly string[]
}

/** Merges the groups by their scores, which are comparable within one answer. */
function rankEntries(response: MemoryResponse): Entry[] {
  const entries: Entry[] = GROUPS.flatMap((group) => TO_ENTRIES[group](response))
  return entries.sort((a, b) => b.score - a.score)
}

const TO_ENTRIES: { [Name in Group]: (response: MemoryResponse) => Entry[] } = {
  semantics: ({ semantics }) =>
    semantics.map(({ score, source_ids, subject, predicate, value, valid_from, valid_to }) => ({
      kind: 'fact',
      score,
      ids: source_ids,
      at: valid_from,
      text: `${subject} · ${predicate} · ${value}`,
      notes: valid_to === null ? [] : [`until ${valid_to.slice(0, 10)}`]
    })),
  procedures: ({ procedures }) =>
    procedures.map(({ score, source_ids, statement, steps = [] }) => ({
      kind: 'procedure',
      score,
      ids: source_ids,
      at: null,
      text: [statement, ...steps.map((step, place) => `${place + 1}. ${step}`)].join('\n'),
      notes: []
    })),
  episodes: ({ episodes }) =>
    episodes.map(({ score, source_ids, summary, started_at, events }) => ({
      kind: 'episode',
      score,
      ids: source_ids,
      at: started_at,
      text: [summary, ...events].join('\n'),
      notes: []
    })),
  sources: ({ sources }) =>
    sources.map(({ score, source_ids, text, timestamp, superseded_by }) => ({
      kind: 'memory',
      score,
      ids: source_ids,
      at: timestamp,
      text,
      notes: superseded_by === undefined ? [] : ['superseded']
    }))
}

/**
 * Returns a function that finds the memory of an entry: the best one that the answer contains, otherwise its first one,
 * which is read.
 */
async function describeSources(
  memories: Memories,
  { sources }: MemoryResponse,
  entries: readonly Entry[]
): Promise<(entry: Entry) => HeadingParts> {
  const known = new Map<string, HeadingParts>(
    sources.map(({ id, timestamp, speaker, metadata }) => [id, { id, at: timestamp, speaker, metadata }])
  )
  const answered = [...known.keys()]
  const chosen = new Map(entries.map((entry) => [entry, answered.find((id) => entry.ids.includes(id)) ?? entry.ids[0]]))
  const missing = new Set([...chosen.values()].flatMap((id) => (id === undefined || known.has(id) ? [] : id)))
  const found = missing.size === 0 ? [] : await memories.read([...missing], { around: 0 })
  for (const turn of found.flatMap(({ turns }) => turns)) known.set(turn.id, toHeadingParts(turn))
  return (entry) => {
    const id = chosen.get(entry) ?? ''
    return known.get(id) ?? { id, at: entry.at }
  }
}

/** Longer texts are cut: memory_read returns them whole. */
const TEXT_CHARACTERS_MAX = 1500

function formatEntry({ kind, text, notes }: Entry, source: HeadingParts, place: number): string {
  const { marked, end } = markPart(text, 0, TEXT_CHARACTERS_MAX)
  const rest = end < text.length ? [`(cut: memory_read has all ${text.length} characters)`] : []
  const heading = formatHeading({ ...source, notes: [...(kind === 'memory' ? [] : [kind]), ...notes, ...rest] })
  return `[${place}] ${heading}\n${marked === '' ? markText('') : marked}`
}

function toData({ kind, text, score, ids }: Entry, { at, speaker = null, metadata }: HeadingParts): unknown {
  const origin = findOrigin(metadata) ?? null
  return { kind, text: cutCharacters(text, TEXT_CHARACTERS_MAX), score, ids, at, speaker, origin }
}

/** A cursor is the number of entries so far with a hash of the other arguments, which must stay the same. */
function formatCursor(end: number, input: Readonly<Record<string, unknown>>): string {
  return `${end}.${hashInput(input)}`
}

function parseCursor(cursor: string, input: Readonly<Record<string, unknown>>): number {
  const [, end, hash] = /^(\d{1,3})\.([0-9a-f]{8})$/.exec(cursor) ?? []
  if (end !== undefined && hash === hashInput(input)) return Number(end)
  throw new Fault('usage', 'Invalid `cursor`: expected the cursor of an earlier answer to the same arguments', {
    hint: 'omit the cursor to start again'
  })
}

function hashInput({ limit: _, ...input }: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8)
}
