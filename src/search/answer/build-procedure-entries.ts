import type { ProcedureEntry } from '../../contract/memory-response.ts'
import type { MemoryRecord, ProcedureRecord } from '../../contract/snapshot.ts'
import { readProcedures } from '../../memory/extracted.ts'
import { ANSWER } from './answer-constants.ts'
import { type Answering, type Candidate, deriveId, sortBestFirst } from './answering.ts'
import type { QueryWords } from './query-words.ts'

/**
 * Builds the procedures of the candidates that share a term with the query, best first. Statements that differ only in
 * case, spaces and final punctuation become one entry with all their memories as sources.
 */
export function buildProcedureEntries(answering: Answering, candidates: readonly Candidate[]): ProcedureEntry[] {
  const merged = new Map<string, ProcedureEntry>()
  for (const { record, score } of candidates) {
    for (const found of readProcedures(record).slice(0, PROCEDURES_MAX)) {
      const entry = toProcedureEntry(answering, { record, found, source: score })
      if (entry.score > 0) merged.set(entry.id, joinEntries(merged.get(entry.id), entry))
    }
  }
  return sortBestFirst([...merged.values()])
}

/** Maximum number of procedures examined per memory. */
const PROCEDURES_MAX = 300

type Found = { record: MemoryRecord; found: ProcedureRecord; source: number }

function toProcedureEntry(answering: Answering, { record, found, source }: Found): ProcedureEntry {
  const { statement, kind, steps } = found
  const confidence = found.confidence ?? ANSWER.CONFIDENCE_UNSTATED
  const words = rateWords(answering, { record, found })
  const blend = words === 0 ? 0 : ANSWER.WORDS_PART * words + ANSWER.SOURCE_PART * source
  const kinds = Object.keys(answering.intent.kinds)
  const fit = kinds.length === 0 || kinds.includes(kind) ? 1 : ANSWER.OTHER_KIND
  return {
    id: deriveId('procedure', [kind, normaliseStatement(statement)]),
    score: blend * fit * (ANSWER.UNSURE + (1 - ANSWER.UNSURE) * confidence),
    source_ids: [record.id],
    statement,
    kind,
    ...(steps === undefined ? {} : { steps }),
    confidence,
    ...(answering.explain ? { explanation: { words, source, kind: fit, confidence } } : {})
  }
}

/**
 * Rates how much of the query a procedure covers with its words, its speaker's name and the words that ask for its
 * kind. Returns 0 if only speaker and kind match.
 */
function rateWords({ words, intent }: Answering, { record, found }: Omit<Found, 'source'>): number {
  const said = new Set<number>()
  for (const text of [found.statement, ...(found.steps ?? [])]) addAll(said, words.in(text))
  const asking = intent.kinds[found.kind]
  if (said.size === 0 && asking === undefined) return 0
  if (record.speaker !== undefined) addAll(said, words.in(record.speaker))
  for (const word of asking ?? []) addAll(said, words.in(word))
  return words.weightOf(said)
}

function addAll(into: Set<number>, more: ReturnType<QueryWords['in']>): void {
  for (const one of more) into.add(one)
}

function normaliseStatement(statement: string): string {
  return statement
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<![\s.!;:,])[\s.!;:,]+$/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** Merges two equal procedures: the better words, the higher confidence, and the sources of both, best first. */
function joinEntries(known: ProcedureEntry | undefined, entry: ProcedureEntry): ProcedureEntry {
  if (known === undefined) return entry
  const [best, other] = entry.score > known.score ? [entry, known] : [known, entry]
  const source_ids = [...new Set([...best.source_ids, ...other.source_ids])]
  return { ...best, confidence: Math.max(best.confidence, other.confidence), source_ids }
}
