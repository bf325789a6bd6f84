import type { MemoryRecord } from '../../contract/snapshot.ts'
import { serializeRecord, sha256 } from './compute-check.ts'

/** The first part of every identity. Another way to derive ids would use another tag. */
export const MEMORY_TAG = 'memctl.memory.1'

/** The parts of a memory's id. `at` is null if the source gave no time. */
export type Identity = Pick<MemoryRecord, 'text' | 'speaker' | 'conversation' | 'copy'> & { at: string | null }

/**
 * Returns `mem_` and the first 32 hex digits of the SHA-256 of the canonical form of the parts. Strings are used
 * unchanged.
 */
export function computeMemoryId({ text, speaker, at, conversation, copy }: Identity): string {
  const parts = [MEMORY_TAG, text, speaker ?? null, at, conversation ?? null, copy ?? 1]
  return `mem_${sha256(JSON.stringify(parts)).slice(0, 32)}`
}

/** Returns `fgt_` and 32 hex digits, derived from the id of the forgotten memory. */
export function computeForgetId(target: string): string {
  return `fgt_${sha256(JSON.stringify(['memctl.forget.1', target])).slice(0, 32)}`
}

/** Returns the line that forgets a memory, without an LF. `at` is a time in the form of a snapshot. */
export function serializeForget(target: string, at: string, reason?: string): string {
  const more = reason === undefined ? {} : { reason }
  return serializeRecord({ type: 'forget', id: computeForgetId(target), at, target, ...more })
}
