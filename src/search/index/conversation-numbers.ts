import { readNumber, unpackTexts } from './byte-writer.ts'
import type { SegmentRow } from './index-store.ts'

/** Conversations by number, from 1, in the order in which segments first name them. */
export type ConversationNumbers = {
  /** Number of conversations that the stored segments name. */
  stored: number
  /** Names added since, in order. */
  added: string[]
  /** Returns the number of a name; a new name gets the next one. */
  numberOf(name: string): number
}

/** Number of names that are looked up singly in the stored lists; after that, all are read. */
const SCANS_MAX = 16

/** Creates the numbering of these segments and reads only what is requested. */
export function createConversationNumbers(segments: readonly SegmentRow[]): ConversationNumbers {
  const stored = segments.reduce((sum, { conversations }) => sum + countTexts(conversations), 0)
  const added: string[] = []
  const known = new Map<string, number>()
  let scans = 0
  const storedNumber = (name: string): number | undefined => {
    if (stored === 0 || scans > SCANS_MAX) return undefined
    if (scans++ < SCANS_MAX) return findStoredNumber(segments, name)
    for (const [at, one] of readConversations(segments).entries()) known.set(one, at + 1)
    return known.get(name)
  }
  return {
    stored,
    added,
    numberOf(name) {
      const number = known.get(name) ?? storedNumber(name) ?? stored + added.push(name)
      known.set(name, number)
      return number
    }
  }
}

/** Reads the names of conversations; number n has `names[n - 1]`. */
export function readConversations(segments: readonly SegmentRow[]): string[] {
  return segments.flatMap(({ conversations }) => unpackTexts(conversations))
}

function countTexts(bytes: Uint8Array): number {
  const reader = { bytes, at: 0 }
  let count = 0
  for (; reader.at < bytes.length; count++) {
    const length = readNumber(reader)
    reader.at += length
  }
  return count
}

function findStoredNumber(segments: readonly SegmentRow[], name: string): number | undefined {
  const wanted = Buffer.from(name, 'utf8')
  let number = 1
  for (const { conversations } of segments) {
    const reader = { bytes: conversations, at: 0 }
    for (; reader.at < conversations.length; number++) {
      const length = readNumber(reader)
      const end = reader.at + length
      if (length === wanted.length && wanted.equals(conversations.subarray(reader.at, end))) return number
      reader.at = end
    }
  }
  return undefined
}
