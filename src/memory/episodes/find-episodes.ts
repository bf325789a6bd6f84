import type { MemoryRecord } from '../../contract/snapshot.ts'
import { splitByTopic } from './split-by-topic.ts'
import { summarizeTurns } from './summarize-turns.ts'
import { type Turn, toTurn } from './turn.ts'

/**
 * Derives the episodes of some memories, oldest first. An episode is a series of turns of one conversation without a
 * long pause between them; memories without a conversation are grouped by time alone. Long series are split where the
 * topic changes. The order of the records does not matter. `hash` must return at least 32 hex digits of a cryptographic
 * hash. Time grows with the length of the texts.
 */
export function findEpisodes(records: readonly MemoryRecord[], hash: (text: string) => string): Episode[] {
  const turns = [...dropRepeats(records)].sort(compareTurns).map(toTurn)
  const episodes = groupByConversation(turns)
    .flatMap(splitAtPauses)
    .flatMap(splitByTopic)
    .map((own) => buildEpisode(own, hash))
  return episodes.sort((a, b) => compare(a.startedAt, b.startedAt) || compare(a.id, b.id))
}

/** Keeps one record per id: the one with the highest extractor version, then the earliest. */
function dropRepeats(records: readonly MemoryRecord[]): Iterable<MemoryRecord> {
  const known = new Map<string, MemoryRecord>()
  for (const record of records) {
    const other = known.get(record.id)
    if (other === undefined || other.extractor < record.extractor || isEarlier(record, other))
      known.set(record.id, record)
  }
  return known.values()
}

function isEarlier(record: MemoryRecord, other: MemoryRecord): boolean {
  return record.extractor === other.extractor && compare(record.at, other.at) < 0
}

/** Groups turns by conversation; turns without one share a group. */
function groupByConversation(turns: readonly Turn[]): Turn[][] {
  const groups = new Map<string | undefined, Turn[]>()
  for (const turn of turns) {
    const group = groups.get(turn.record.conversation)
    if (group === undefined) groups.set(turn.record.conversation, [turn])
    else group.push(turn)
  }
  return [...groups.values()]
}

/** Maximum number of event statements in one episode. */
const EVENTS_MAX = 12

function buildEpisode(turns: readonly Turn[], hash: (text: string) => string): Episode {
  const records = turns.map(({ record }) => record)
  const sourceIds = records.map(({ id }) => id)
  const speakers = records.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]))
  return {
    id: `epi_${hash(JSON.stringify(['memctl.episode.1', ...[...sourceIds].sort()])).slice(0, 32)}`,
    summary: summarizeTurns(turns),
    startedAt: records[0]?.at ?? '',
    endedAt: records.at(-1)?.at ?? '',
    participants: [...new Set(speakers)],
    events: [...new Set(records.flatMap(readStatements))].slice(0, EVENTS_MAX),
    sourceIds
  }
}

/** Returns the statements of a record's events and skips entries that do not have the shape of this version. */
function readStatements({ events }: MemoryRecord): string[] {
  return (events ?? []).flatMap((event) => {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) return []
    return typeof event.statement === 'string' ? [event.statement] : []
  })
}

function compareTurns(a: MemoryRecord, b: MemoryRecord): number {
  return compare(a.at, b.at) || (a.position ?? 0) - (b.position ?? 0) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A series of turns of one conversation, or close in time, that belong together. Derived, never stored. */
export type Episode = {
  /** `epi_` and 32 hex digits, derived from the ids of its sources. */
  id: string
  /** The most representative sentences, quoted from the text, with their speakers. */
  summary: string
  /** Times of its first and last turn, UTC. */
  startedAt: string
  endedAt: string
  /** Speakers, in the order of their first turn. */
  participants: string[]
  /** Statements of the events in it, in order. */
  events: string[]
  /** Ids of its memories, in conversation order. */
  sourceIds: string[]
}

/** Splits ordered turns at every pause that is longer than `PAUSE_MS_MAX`. */
function splitAtPauses(turns: readonly Turn[]): Turn[][] {
  const stretches: Turn[][] = []
  for (const turn of turns) {
    const last = stretches.at(-1)
    const before = last?.at(-1)
    if (last === undefined || before === undefined || turn.atMs - before.atMs > PAUSE_MS_MAX) stretches.push([turn])
    else last.push(turn)
  }
  return stretches
}

/** Six hours: a night ends a conversation, a meal does not. */
export const PAUSE_MS_MAX = 6 * 60 * 60 * 1000
