import { findDocumentsWithId, type IndexReader } from '../index/index-reader.ts'
import { type LineBytes, locateMemory, type Order } from './create-ranker.ts'
import type { Explanation } from './explanation.ts'

/** Where a memory stands among all that a query finds, and why. Places count from 1. */
export type Examined = LineBytes & {
  /** Undefined where it is not found. */
  rank: number | undefined
  /** Its place by words alone, before further evidence. */
  wordRank: number | undefined
  /** How many memories are found, and how many of the first by words are put in order by further evidence. */
  found: number
  pool: number
  score: number
  /** Its time is after the one asked about. */
  isLater: boolean
  /** What gave it its score. Of one outside the pool: what words gave, and what further evidence would have given. */
  explanation: Explanation
  /** The best of all; undefined where nothing is found. */
  best: (LineBytes & { score: number; explanation: Explanation }) | undefined
}

/** What is asked about: a memory by its id, and the time, ms since 1970, after which nothing counts. */
export type ExamineRequest = { index: IndexReader; id: Uint8Array; until: number | undefined }

/** Looks a memory up in an order of all that is found; undefined where it is not in the index. */
export function examine({ index, id, until }: ExamineRequest, order: Order | undefined): Examined | undefined {
  const rows = new Set(findDocumentsWithId(index, Buffer.from(id).toString('hex')))
  const place = order === undefined ? -1 : order.documents.findIndex((one) => rows.has(one))
  const [some] = rows
  const document = order?.documents[place] ?? (some === undefined ? undefined : index.firstOf(some))
  if (document === undefined) return undefined
  const isLater = until !== undefined && index.timeOf(document) > until
  const known = { ...locateMemory(index, document), isLater, rank: place < 0 ? undefined : place + 1 }
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

const NOTHING: Explanation = { cues: [], evidence: [] }

function explainScore(
  explainer: ReturnType<Order['explainer']>,
  scored: { document: number; score: number }
): { score: number; explanation: Explanation } {
  return { score: scored.score, explanation: explainer.explain(scored) }
}
