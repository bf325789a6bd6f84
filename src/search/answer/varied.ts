import type { SemanticEntry } from '../../contract/memory-response.ts'
import { ANSWER } from './answer-constants.ts'
import { bestFirst } from './entry.ts'

/** Facts, given best first, with those held back that rest on the same memory as a better one: one memory may say a dozen things. */
export function varied(entries: readonly SemanticEntry[]): SemanticEntry[] {
  const told = new Set<string>()
  const weighed = entries.map((entry) => {
    const [memory = ''] = entry.source_ids
    const isFurther = told.has(memory)
    for (const id of entry.source_ids) told.add(id)
    return isFurther ? { ...entry, score: entry.score * ANSWER.SAME_MEMORY } : entry
  })
  return bestFirst(weighed)
}
