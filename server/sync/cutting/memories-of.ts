import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { formatTime } from '../../../src/memory/parse-iso-time.ts'
import type { ContentPart, ItemContent } from '../../providers/provider.ts'
import { cutPieces, type Piece } from './cut-pieces.ts'
import type { MemoryDraft } from './memory-draft.ts'
import { shortText } from './short-text.ts'

/**
 * What an item becomes: a memory for each piece of its parts, in their order. What was said in a talk has speaker and time, and its place in
 * the talk; a document is a talk of its own whose pieces are numbered from 1 on. No account is named: what is seen through two is one memory.
 * Worked out as it is asked for, so that a long document keeps nobody waiting.
 */
export function* memoriesOf(content: ItemContent, about: { provider: ProviderId }): Generator<MemoryDraft> {
  const known = knownOf(content, about.provider)
  let number = 0
  for (const part of content.parts) {
    const isTalk = part.conversation !== undefined || part.speaker !== undefined
    const place = placeOf(part, content.id, about.provider)
    let first: number | undefined
    for (const piece of cutPieces(part.text.toWellFormed())) {
      number += 1
      first ??= part.position ?? number
      // Pieces of a long message count on from its place: what else was said in the same millisecond is a rare chance.
      const position = isTalk ? first++ : number
      const metadata = { ...known, ...place, position, ...sectionOf(piece) }
      yield { text: piece.text, metadata, shownAt: 'at' in place ? undefined : part.at }
    }
  }
}

/** Longer ones are cut, but for addresses: a part of one leads nowhere. In UTF-16 code units. */
const TITLE_MAX = 300
const SPEAKER_MAX = 200
const SECTION_MAX = 500
const HEADING_MAX = 120
const ID_MAX = 1024
const URL_MAX = 2048

function knownOf({ id, title, url }: ItemContent, source: ProviderId) {
  const name = shortText(title ?? '', TITLE_MAX)
  return {
    source,
    item: id.slice(0, ID_MAX).toWellFormed(),
    ...(name !== '' && { title: name }),
    ...(url !== undefined && url.length <= URL_MAX && url.isWellFormed() && { url })
  }
}

function placeOf({ at, speaker, conversation }: ContentPart, item: string, source: ProviderId) {
  const isTalk = conversation !== undefined || speaker !== undefined
  const time = isTalk && at !== undefined ? formatTime(at) : undefined
  const name = shortText(speaker ?? '', SPEAKER_MAX)
  return {
    conversation: `${source}:${(conversation ?? item).slice(0, ID_MAX).toWellFormed()}`,
    ...(name !== '' && { speaker: name }),
    ...(time !== undefined && { at: time })
  }
}

function sectionOf({ section }: Piece): { section?: string } {
  const words = section.map((heading) => shortText(heading, HEADING_MAX)).filter((heading) => heading !== '')
  return words.length === 0 ? {} : { section: shortText(words.join(' > '), SECTION_MAX) }
}
