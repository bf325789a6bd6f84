import type { MemoryRecord } from '../../contract/snapshot.ts'
import { splitByTopic } from './split-by-topic.ts'
import { summarizeTurns } from './summarize-turns.ts'
import { type Turn, toTurn } from './turn.ts'

/**
 * The episodes of some memories, oldest first: turns of one conversation (or without one, of one stretch of time) with no
 * long pause between them, long ones cut where the subject changes. The same records in any order give the same episodes.
 * `hash` gives at least 32 hex digits of a cryptographic hash. Time grows with the length of the texts.
 */
export function findEpisodes(records: readonly MemoryRecord[], hash: (text: string) => string): Episode[] {
  const turns = [...dropRepeats(records)].sort(compareTurns).map(toTurn)
  const episodes = groupByConversation(turns)
    .flatMap(splitAtPauses)
    .flatMap(splitByTopic)
    .map((own) => buildEpisode(own, hash))
  return episodes.sort((a, b) => compare(a.startedAt, b.startedAt) || compare(a.id, b.id))
}

/** Of several records with one id the one that was understood last, then the earliest. */
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

/** The turns of each conversation; those without one are as one. */
function groupByConversation(turns: readonly Turn[]): Turn[][] {
  const groups = new Map<string | undefined, Turn[]>()
  for (const turn of turns) {
    const group = groups.get(turn.record.conversation)
    if (group === undefined) groups.set(turn.record.conversation, [turn])
    else group.push(turn)
  }
  return [...groups.values()]
}

/** Events of one episode that are named, at most. */
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

/** What is not shaped as events of this version are is passed over. */
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

/** Some turns of one conversation, or of one stretch of time, that belong together; derived, never stored. */
export type Episode = {
  /** `epi_` and 32 hex digits, from the ids of its sources. */
  id: string
  /** The sentences that say most of it, in the text's own words, with who said them. */
  summary: string
  /** When its first and its last turn were said, UTC. */
  startedAt: string
  endedAt: string
  /** Speakers, in the order in which they come up. */
  participants: string[]
  /** Statements of the events told of in it, in order. */
  events: string[]
  /** Ids of its memories, in the order of the conversation. */
  sourceIds: string[]
}

/** Turns in their order, cut wherever nobody said anything for long. */
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

/** Six hours: a night ends a talk, a meal does not. */
export const PAUSE_MS_MAX = 6 * 60 * 60 * 1000
