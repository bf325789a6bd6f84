import { createHash } from 'node:crypto'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Said = Partial<Pick<MemoryRecord, 'at' | 'speaker' | 'conversation' | 'position' | 'events'>>

/** Creates a memory whose id is derived from its text and fields. */
export function memory(text: string, said: Said = {}): MemoryRecord {
  const fields = { at: '2026-01-02T09:00:00.000Z', ...said }
  const id = `mem_${hash(JSON.stringify([text, fields])).slice(0, 32)}`
  return { type: 'memory', id, text, extractor: 1, ...fields }
}

/** Creates turns of one conversation with equal times, by Ada and Bo in turn, numbered from 1. */
export function talk(texts: readonly string[], said: Said = {}): MemoryRecord[] {
  return texts.map((text, turn) =>
    memory(text, { speaker: turn % 2 === 0 ? 'Ada' : 'Bo', conversation: 'talk', position: turn + 1, ...said })
  )
}
