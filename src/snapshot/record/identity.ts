import type { MemoryRecord } from '../../contract/snapshot.ts'
import { sha256 } from './compute-check.ts'

/** What the parts of an identity begin with: another way to make ids would have another. */
export const MEMORY_TAG = 'memctl.memory.1'

/** What a memory's id is made of. `at` is null where the source said no time. */
export type Identity = Pick<MemoryRecord, 'text' | 'speaker' | 'conversation' | 'copy'> & { at: string | null }

/** `mem_` and the first 32 hex digits of SHA-256 over the canonical form of the parts. Strings are taken as they are. */
export function computeMemoryId({ text, speaker, at, conversation, copy }: Identity): string {
  const parts = [MEMORY_TAG, text, speaker ?? null, at, conversation ?? null, copy ?? 1]
  return `mem_${sha256(JSON.stringify(parts)).slice(0, 32)}`
}

/** `fgt_` and 32 hex digits, from the id of the memory that is forgotten. */
export function computeForgetId(target: string): string {
  return `fgt_${sha256(JSON.stringify(['memctl.forget.1', target])).slice(0, 32)}`
}
