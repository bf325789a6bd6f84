import type { Chunk, Phrase } from './chunk.ts'
import type { Parse } from './clause.ts'
import type { Words } from './draft.ts'

/** A phrase without the commas, conjunctions and marks at its ends. */
export function trim({ chunks }: Parse, { from, to }: Phrase): Phrase {
  let start = from
  let end = to
  while (end > start && (EDGES.has(chunks[end - 1]?.kind ?? '') || chunks[end - 1]?.kind === 'marker')) end--
  while (start < end && EDGES.has(chunks[start]?.kind ?? '')) start++
  return { from: start, to: end }
}

const EDGES: ReadonlySet<string> = new Set(['comma', 'and', 'stop', 'quote', 'opening', 'closing'])

/** The words of some chunks. */
export function wordsOf({ chunks }: Parse, { from, to }: Phrase): Words | undefined {
  if (to <= from) return undefined
  return { from: (chunks[from] as Chunk).from, to: (chunks[to - 1] as Chunk).to }
}
