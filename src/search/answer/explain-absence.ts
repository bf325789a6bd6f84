import type { MemoryRecord } from '../../contract/snapshot.ts'
import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import type { Hit, LineBytes, RankOptions } from '../rank/create-ranker.ts'
import type { Examined } from '../rank/examine.ts'
import type { Explanation } from '../rank/explanation.ts'
import { answerQuery, countFoldable, type Grounds, type SearchQuestion, toRankFilter } from './answer-query.ts'
import type { Candidate } from './answering.ts'
import { addWrittenWords } from './build-source-entries.ts'
import { foldNearDuplicates } from './fold-near-duplicates.ts'
import { createSupersededFinder, type Superseded } from './superseded.ts'
import type { Comparison, Reason, WhyNotReport } from './why-not-report.ts'

export type AbsenceGrounds = Grounds & {
  examine: (query: string, id: Uint8Array, options: Omit<RankOptions, 'limit'>) => Examined | undefined
}

/** Explains where a query ranks a memory and what the memory lacks. Returns undefined if it is not in the index. */
export function explainAbsence(
  question: Pick<SearchQuestion, 'query' | 'limit' | 'asOf' | 'filter'>,
  { inquire, read, examine }: AbsenceGrounds,
  id: string
): WhyNotReport | undefined {
  const { query, limit } = question
  const options = {
    filter: toRankFilter(question),
    textOf: (place: LineBytes): string | undefined => read(place)?.text
  }
  const examined = examine(query, Buffer.from(id.slice('mem_'.length), 'hex'), options)
  if (examined === undefined) return undefined
  const { sources } = answerQuery({ ...question, groups: ['sources'] }, { inquire, read }).response
  const inquiry = inquire(query, { ...options, limit: countFoldable(limit) })
  const { terms, hits } = inquiry
  const entry = sources.findIndex(({ source_ids }) => source_ids.includes(id))
  const shownIds = new Set(sources.map((source) => source.id))
  const readShown = (): Candidate[] => readCandidates(hits, read).filter(({ record }) => shownIds.has(record.id))
  const { rank = null, found, score } = examined
  const record = read(examined)
  const best = examined.best === undefined ? undefined : read(examined.best)
  return {
    id,
    text: record?.text ?? null,
    rank,
    found,
    shown: sources.length,
    entry: entry < 0 ? null : entry + 1,
    score,
    last_score: sources.at(-1)?.score ?? null,
    best: best === undefined ? null : { id: best.id, text: best.text, score: examined.best?.score ?? 0 },
    reasons: listReasons(examined, {
      entry,
      limit,
      at: record?.at,
      superseded: record && createSupersededFinder({ inquiry, read, asOf: question.asOf })(record),
      standsForIt: entry < 0 ? findSame(record, readShown) : sources[entry]?.id,
      id,
      lookedFor: spellTerms(query, terms)
    }),
    compared:
      examined.best === undefined
        ? []
        : compareParts({
            own: addWrittenWords(examined.explanation, record),
            best: addWrittenWords(examined.best.explanation, best),
            isPooled: isPooled(examined)
          })
  }
}

/** Reports that a memory was forgotten, in which case it is not searched. */
export function reportForgotten(id: string): WhyNotReport {
  return {
    id,
    text: null,
    rank: null,
    found: null,
    shown: null,
    entry: null,
    score: 0,
    last_score: null,
    best: null,
    reasons: [{ reason: 'forgotten' }],
    compared: []
  }
}

/** Returns the id of a displayed memory that is a near-duplicate of a memory that is not displayed. */
function findSame(record: MemoryRecord | undefined, shown: () => Candidate[]): string | undefined {
  if (record === undefined) return undefined
  const all = [...shown(), { record, score: 0, explanation: undefined }]
  const ids = foldNearDuplicates(all, Infinity).find((folded) => folded.ids.includes(record.id))?.ids
  return ids?.[0] === record.id ? undefined : ids?.[0]
}

function readCandidates(hits: readonly Hit[], read: Grounds['read']): Candidate[] {
  return hits.flatMap((hit) => {
    const record = read(hit)
    return record === undefined ? [] : [{ record, score: hit.score, explanation: undefined }]
  })
}

type Known = {
  id: string
  /** Index of the memory among the displayed entries; -1 if absent. */
  entry: number
  limit: number
  at: string | undefined
  superseded: Superseded | undefined
  standsForIt: string | undefined
  lookedFor: string[]
}

function listReasons({ rank, wordRank = 0, pool, excluded }: Examined, known: Known): Reason[] {
  const { id, entry, limit, at, superseded, standsForIt, lookedFor } = known
  if (excluded === 'later') return [{ reason: 'later', at: at ?? '' }]
  if (excluded === 'filtered') return [{ reason: 'filtered' }]
  if (superseded !== undefined && entry < 0) return [{ reason: 'superseded', ...superseded }]
  if (standsForIt !== undefined && standsForIt !== id) return [{ reason: 'same_as', id: standsForIt }]
  if (entry >= 0) return [{ reason: 'shown', entry: entry + 1 }]
  if (lookedFor.length === 0) return [{ reason: 'nothing_asked' }]
  if (rank === undefined) return [{ reason: 'nothing_in_it', looked_for: lookedFor }]
  const behind: Reason = { reason: 'others_fit_better', before: rank - 1, limit }
  return wordRank > pool ? [{ reason: 'few_words', word_rank: wordRank, pool }, behind] : [behind]
}

/** Returns terms as the query spells them. */
function spellTerms(query: string, terms: readonly { name: string }[]): string[] {
  const written = findWrittenTerms(
    query,
    terms.map(({ name }) => name)
  )
  return terms.map(({ name }) => written.get(name) ?? name)
}

/** Checks whether the memory is in the pool, to which further evidence applies. */
function isPooled({ rank, wordRank = 0, pool }: Examined): boolean {
  return rank !== undefined && wordRank <= pool
}

type Both = { own: Explanation; best: Explanation; isPooled: boolean }

function compareParts(both: Both): Comparison[] {
  const [own, best] = [groupByName(both.own), groupByName(both.best)]
  const names = [...new Set([...best.keys(), ...own.keys()])]
  return names
    .map((name) => {
      const [mine, other] = [own.get(name), best.get(name)]
      const kind = mine?.kind ?? other?.kind ?? 'evidence'
      return {
        name,
        asked: mine?.asked ?? other?.asked ?? null,
        kind,
        counted: kind !== 'evidence' || both.isPooled,
        part: mine?.part ?? 0,
        best_part: other?.part ?? 0,
        said: mine?.said ?? [],
        best_said: other?.said ?? []
      }
    })
    .sort((left, right) => computeLack(right) - computeLack(left) || (left.name < right.name ? -1 : 1))
}

type Part = Pick<Comparison, 'asked' | 'kind' | 'part' | 'said'>

function groupByName({ cues, evidence }: Explanation): Map<string, Part> {
  const parts = new Map<string, Part>(
    cues.map(({ name, asked, kind, part, said }) => [name, { asked, kind, part, said }])
  )
  for (const { name, part } of evidence) parts.set(name, { asked: null, kind: 'evidence', part, said: [] })
  return parts
}

function computeLack({ part, best_part }: Comparison): number {
  return best_part - part
}
