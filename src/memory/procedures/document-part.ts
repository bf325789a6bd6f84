import type { TextSource } from '../language/text-source.ts'
import type { Sentence } from '../language/token.ts'
import type { Block, ItemBlock, Range } from '../structure/block.ts'
import { findTopics, type Topic } from '../structure/topic.ts'

/** A run of blocks of one kind under one title: the items of a list, or the paragraphs below a heading. */
export type DocumentPart = {
  items: ItemBlock[]
  /** Ranges of the sentences of each item or paragraph. */
  ranges: Range[]
  /** The heading above, or the line that introduces the part; undefined if there is none. */
  title: string | undefined
  /** The title above the title: `Rye bread` over `Method`. */
  above: string | undefined
  /** Range of the title. */
  titleRange: Range | undefined
}

/** Returns the lists and the titled paragraphs of a text, in order. */
export function splitDocument(source: TextSource, blocks: readonly Block[]): DocumentPart[] {
  const topics = findTopics(source.text, blocks)
  const parts: DocumentPart[] = []
  for (const [at, block] of blocks.entries()) {
    if (block.kind !== 'item' && block.kind !== 'prose') continue
    const above = blocks[at - 1]
    if (above?.kind !== block.kind) parts.push(startPart(source.text, topics[at], above))
    const part = parts.at(-1)
    part?.ranges.push(block.kind === 'item' ? block.content : block)
    if (block.kind === 'item') part?.items.push(block)
  }
  return parts
}

/** Starts a part below a heading or an introducing line. */
function startPart(text: string, topic: Topic | undefined, above: Block | undefined): DocumentPart {
  const heading = topic?.heading
  if (heading !== undefined)
    return { items: [], ranges: [], title: topic?.words, above: topic?.above, titleRange: heading }
  const lead = above?.kind === 'prose' ? findLeadIn(text, above) : undefined
  const title = lead === undefined ? undefined : text.slice(lead.start, lead.end)
  return { items: [], ranges: [], title, above: undefined, titleRange: lead }
}

/** Selects the sentences of each range; both lists must be in text order. */
export function selectSentences(ranges: readonly Range[], sentences: readonly Sentence[]): Sentence[][] {
  let at = findFirstFrom(sentences, ranges[0]?.start ?? 0)
  return ranges.map(({ start, end }) => {
    const found: Sentence[] = []
    for (let next = sentences[at]; next !== undefined && next.start < end; next = sentences[++at])
      if (next.start >= start) found.push(next)
    return found
  })
}

/** Finds the first sentence that starts at or after a position, by binary search. */
function findFirstFrom(sentences: readonly Sentence[], start: number): number {
  let low = 0
  let high = sentences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sentences[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}

const LEAD_UNITS_MAX = 160

/** Returns the last line of a paragraph if it ends in a colon. */
function findLeadIn(text: string, { start, end }: Range): Range | undefined {
  if (!/[:：]/.test(text.charAt(end - 1))) return undefined
  const near = Math.max(start, end - LEAD_UNITS_MAX)
  const tail = text.slice(near, end)
  const cut = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf('. '), tail.lastIndexOf('! '), tail.lastIndexOf('? '))
  if (cut < 0 && near > start) return undefined
  const from = near + (cut < 0 ? 0 : text.charAt(near + cut) === '\n' ? cut + 1 : cut + 2)
  return { start: from, end: end - 1 }
}
