import { toIndexDocument, winsOver } from '../../../src/device/index/line-taker.ts'
import type { IndexDocument } from '../../../src/search/index/index-writer.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import type { IndexLines } from './index-lines.ts'
import { judgedLine } from './judged-line.ts'
import type { Mirror } from './mirror.ts'

/** A line that a collection holds of a memory, and what decides which of several wins. */
type HeldLine = Pick<IndexDocument, 'offset' | 'length' | 'extractor' | 'at' | 'check'> & { collection: number }

/**
 * The memories of several collections as one: what any of them holds, in its best line. One that a collection forgets
 * stays as long as another holds it.
 */
export function createSharedLines(index: SearchIndex, mirror: Mirror): IndexLines {
  const held = new Map<string, HeldLine[]>()
  return {
    put(collection, document) {
      const { offset, length, extractor, at, check } = document
      const lines = without(collection, document.id)
      lines.push({ collection, offset, length, extractor, at, check: check.slice() })
      held.set(keyOf(document.id), lines)
      settle(document.id, lines)
    },
    forget(collection, id) {
      const lines = without(collection, id)
      if (lines.length === 0) held.delete(keyOf(id))
      else held.set(keyOf(id), lines)
      settle(id, lines)
    }
  }

  function without(collection: number, id: Uint8Array): HeldLine[] {
    const lines = held.get(keyOf(id)) ?? []
    for (const line of lines) if (line.collection === collection) mirror.wipe(line)
    return lines.filter((line) => line.collection !== collection)
  }

  function settle(id: Uint8Array, lines: readonly HeldLine[]): void {
    const best = lines.reduce<HeldLine | undefined>(
      (best, line) => (best === undefined || winsOver(line, best) ? line : best),
      undefined
    )
    if (best === undefined) index.remove(id)
    else if (index.find(id)?.offset !== best.offset) index.add(documentAt(mirror, best))
  }
}

function keyOf(id: Uint8Array): string {
  return Buffer.from(id).toString('latin1')
}

function documentAt(mirror: Mirror, { offset, length }: HeldLine): IndexDocument {
  const line = Buffer.alloc(length)
  mirror.read(line, offset)
  const seen = judgedLine(line, { start: 0, end: length, offset })
  if (seen === undefined) throw new Error('a line of the mirror is not as it was written')
  return toIndexDocument(seen)
}
