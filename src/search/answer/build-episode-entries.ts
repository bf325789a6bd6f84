import { createHash } from 'node:crypto'
import type { EpisodeEntry } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import { type Episode, findEpisodes, PAUSE_MS_MAX } from '../../memory/episodes/find-episodes.ts'
import type { Hit, LineBytes } from '../rank/create-ranker.ts'
import { ANSWER } from './answer-constants.ts'
import { type Answering, readSaidTime, sortBestFirst } from './answering.ts'

/**
 * Builds episodes from the conversations of the best sources, best first: reads their turns and clusters them. A memory
 * without a conversation, or alone in its section, forms no episode, because its source entry says the same.
 */
export function buildEpisodeEntries(answering: Answering): EpisodeEntry[] {
  const hits = answering.inquiry.hits.slice(0, ANSWER.CANDIDATES)
  const found = new Map(hits.map(({ offset, score }) => [offset, score]))
  const entries = findBestSections(answering, hits).flatMap(({ turns }) => {
    const told = turns.map((turn) => ({ record: answering.read(turn), score: found.get(turn.offset) }))
    const byId = new Map(
      told.flatMap(({ record, score }) => (record === undefined ? [] : [[record.id, { record, score }] as const]))
    )
    const episodes = findEpisodes(
      [...byId.values()].map(({ record }) => record),
      sha256Hex
    )
    return episodes.map((episode) => toEpisodeEntry(episode, { byId, explain: answering.explain }))
  })
  return sortBestFirst(entries.filter(({ score, source_ids }) => score > 0 && source_ids.length > 1))
}

type Section = { turns: LineBytes[]; scores: number[] }

/**
 * Returns the sections with the best hits, up to the limit. Sections with equal scores keep the order of their hits.
 */
function findBestSections({ inquiry }: Answering, hits: readonly Hit[]): Section[] {
  const known = new Map<number, Section>()
  const stretches: Section[] = []
  for (const [hit, { score, offset }] of hits.entries()) {
    const same = known.get(offset)
    if (same !== undefined) {
      same.scores.push(score)
      continue
    }
    if (hit >= ANSWER.STRETCH_HITS) continue
    const turns = inquiry.findSection(hit, { limit: ANSWER.STRETCH_TURNS_MAX, pauseMs: PAUSE_MS_MAX })
    const stretch = { turns, scores: [score] }
    for (const turn of turns) known.set(turn.offset, stretch)
    if (turns.length > 1) stretches.push(stretch)
  }
  const best = stretches
    .map((stretch) => ({ ...stretch, score: combineScores(stretch.scores) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, ANSWER.STRETCHES_MAX)
  let turns = 0
  return best.filter((stretch) => {
    turns += stretch.turns.length
    return turns <= ANSWER.EPISODE_TURNS_MAX
  })
}

/** Combines the best score with the probability that at least one of them answers. */
function combineScores(scores: readonly number[]): number {
  const best = scores.reduce((high, score) => Math.max(high, score), 0)
  const any = 1 - scores.reduce((none, score) => none * (1 - score), 1)
  return (1 - ANSWER.EPISODE_TOGETHER) * best + ANSWER.EPISODE_TOGETHER * any
}

type TurnOfEpisode = { record: MemoryRecord; score: number | undefined }

function toEpisodeEntry(
  { id, summary, participants, events, sourceIds }: Episode,
  { byId, explain }: { byId: ReadonlyMap<string, TurnOfEpisode>; explain: boolean }
): EpisodeEntry {
  const scores = sourceIds.flatMap((source) => byId.get(source)?.score ?? [])
  return {
    id,
    score: combineScores(scores),
    source_ids: sourceIds,
    summary,
    started_at: readToldTime(byId.get(sourceIds[0] ?? '')),
    ended_at: readToldTime(byId.get(sourceIds.at(-1) ?? '')),
    participants,
    events,
    ...(explain ? { explanation: { best: Math.max(0, ...scores), found: scores.length } } : {})
  }
}

function readToldTime(told: TurnOfEpisode | undefined): string | null {
  return told === undefined ? null : readSaidTime(told.record)
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
