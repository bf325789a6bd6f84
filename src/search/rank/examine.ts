import { findDocumentsWithId, type IndexReader } from '../index/index-reader.ts'
import { type LineBytes, locateMemory, type Order } from './create-ranker.ts'
import type { Explanation } from './explanation.ts'
import { excludeDocuments, type MemoryFilter } from './memory-filter.ts'

/** Where a query ranks a memory, and why. Ranks count from 1. */
export type Examined = LineBytes & {
  /** Undefined if the memory was not found. */
  rank: number | undefined
  /** Rank by words alone, before further evidence. */
  wordRank: number | undefined
  /** Number of memories found, and number of the first ones by words that further evidence orders. */
  found: number
  pool: number
  score: number
  /** Why it is not searched: it is later than the requested time, or does not pass another filter. */
  excluded: 'later' | 'filtered' | undefined
  /** What its score consists of. Outside the pool: what its words gave, and what further evidence would have given. */
  explanation: Explanation
  /** The best memory; undefined if nothing was found. */
  best: (LineBytes & { score: number; explanation: Explanation }) | undefined
}

/** The memory to examine, by id, and the filter of the search. */
export type ExamineRequest = { index: IndexReader; id: Uint8Array; filter: MemoryFilter | undefined }

/** Examines a memory in a complete ranking. Returns undefined if it is not in the index. */
export function examine({ index, id, filter }: ExamineRequest, order: Order | undefined): Examined | undefined {
  const rows = new Set(findDocumentsWithId(index, Buffer.from(id).toString('hex')))
  const place = order === undefined ? -1 : order.documents.findIndex((one) => rows.has(one))
  const [some] = rows
  const document = order?.documents[place] ?? (some === undefined ? undefined : index.firstOf(some))
  if (document === undefined) return undefined
  const excluded = findExclusion(index, document, filter)
  const known = { ...locateMemory(index, document), excluded, rank: place < 0 ? undefined : place + 1 }
  if (order === undefined) {
    return { ...known, wordRank: undefined, found: 0, pool: 0, score: 0, explanation: NOTHING, best: undefined }
  }
  const { documents, scores, words, pool } = order
  const score = scores[place] ?? 0
  const explainer = order.explainer()
  const { cues, evidence } = explainer.explain({ document, score })
  const isPooled = place >= 0 && place < pool
  const wordPlace = words.best.documents.indexOf(document)
  const [best] = documents
  return {
    ...known,
    wordRank: wordPlace < 0 ? undefined : wordPlace + 1,
    found: documents.length,
    pool,
    score,
    explanation: { cues, evidence: isPooled ? evidence : explainer.listEvidenceParts(document) },
    best:
      best === undefined
        ? undefined
        : { ...locateMemory(index, best), ...explainScore(explainer, { document: best, score: scores[0] ?? 0 }) }
  }
}

function findExclusion(index: IndexReader, document: number, filter: MemoryFilter = {}): Examined['excluded'] {
  if (index.timeOf(document) > (filter.knownAt ?? Infinity)) return 'later'
  return excludeDocuments(index, filter)?.[document] === 1 ? 'filtered' : undefined
}

const NOTHING: Explanation = { cues: [], evidence: [] }

function explainScore(
  explainer: ReturnType<Order['explainer']>,
  scored: { document: number; score: number }
): { score: number; explanation: Explanation } {
  return { score: scored.score, explanation: explainer.explain(scored) }
}
