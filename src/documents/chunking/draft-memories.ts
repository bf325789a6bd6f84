import type { Metadata } from '../../contract/snapshot.ts'
import { formatTime } from '../../memory/parse-iso-time.ts'
import { chunkText, type TextChunk } from './chunk-text.ts'

/** An item of a source, such as a file or a message, as text. */
export type TextItem = {
  id: string
  title?: string
  /** The address at which a person can open it. */
  url?: string
  /** In order. */
  parts: readonly TextPart[]
}

/** A whole document, or what one person said at one time. */
export type TextPart = {
  text: string
  /** Milliseconds since 1970. */
  at?: number
  speaker?: string
  /** The conversation that it belongs to, unique within the account, and its position there, from 0 on. */
  conversation?: string
  position?: number
}

/**
 * A chunk of an item that becomes one memory. `metadata` has the fields that a search reads (speaker, time, conversation, position, title,
 * url) and its source. Without `at` the memory is undated: an edit elsewhere in the item does not change its id.
 */
export type MemoryDraft = {
  text: string
  metadata: Metadata
  /** The time stored with an undated memory, in milliseconds since 1970; undefined if the item has none. */
  shownAt: number | undefined
}

/**
 * Drafts a memory for each chunk of the parts of an item, in their order. A message has its speaker and time, and its position in the
 * conversation; a document is a conversation of its own, whose chunks are numbered from 1. No account is named: an item seen through two
 * accounts is one memory. A generator, so that a long document does not block the process.
 */
export function* draftMemories(content: TextItem, { source }: { source: string }): Generator<MemoryDraft> {
  const known = toItemMetadata(content, source)
  let number = 0
  for (const part of content.parts) {
    const isMessage = part.conversation !== undefined || part.speaker !== undefined
    const place = toPlaceMetadata(part, content.id, source)
    let first: number | undefined
    for (const chunk of chunkText(part.text.toWellFormed())) {
      number += 1
      first ??= part.position ?? number
      // Chunks of a long message are numbered from its position: another message in the same millisecond is rare.
      const position = isMessage ? first++ : number
      const metadata = { ...known, ...place, position, ...toSectionMetadata(chunk) }
      yield { text: chunk.text, metadata, shownAt: 'at' in place ? undefined : part.at }
    }
  }
}

/** Longer values are cut, except for URLs, which are left out. In UTF-16 code units. */
const TITLE_MAX = 300
const SPEAKER_MAX = 200
const SECTION_MAX = 500
const HEADING_MAX = 120
const ID_MAX = 1024
const URL_MAX = 2048

function toItemMetadata({ id, title, url }: TextItem, source: string) {
  const name = shortenText(title ?? '', TITLE_MAX)
  return {
    source,
    item: id.slice(0, ID_MAX).toWellFormed(),
    ...(name !== '' && { title: name }),
    ...(url !== undefined && url.length <= URL_MAX && url.isWellFormed() && { url })
  }
}

function toPlaceMetadata({ at, speaker, conversation }: TextPart, item: string, source: string) {
  const isMessage = conversation !== undefined || speaker !== undefined
  const time = isMessage && at !== undefined ? formatTime(at) : undefined
  const name = shortenText(speaker ?? '', SPEAKER_MAX)
  return {
    conversation: `${source}:${(conversation ?? item).slice(0, ID_MAX).toWellFormed()}`,
    ...(name !== '' && { speaker: name }),
    ...(time !== undefined && { at: time })
  }
}

function toSectionMetadata({ section }: TextChunk): { section?: string } {
  const words = section.map((heading) => shortenText(heading, HEADING_MAX)).filter((heading) => heading !== '')
  return words.length === 0 ? {} : { section: shortenText(words.join(' > '), SECTION_MAX) }
}

/** Shortens a text to one line of at most `unitsMax` UTF-16 code units for a line of a snapshot. A cut text ends with `…`. */
function shortenText(text: string, unitsMax: number): string {
  const taken = text
    .slice(0, 4 * unitsMax)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim()
  if (taken.length <= unitsMax) return taken
  return `${taken
    .slice(0, unitsMax - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
