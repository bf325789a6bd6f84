import type { Block, ProseBlock } from './block.ts'
import { readFencedCode, readProgram, readUnreadable } from './code-reader.ts'
import { readFields } from './field-reader.ts'
import { readFrontMatter } from './front-matter-reader.ts'
import { readHeading } from './heading-reader.ts'
import { nextFullLine } from './line.ts'
import { readList } from './list-reader.ts'
import { readMailHeader } from './mail-header-reader.ts'
import { mailWriter } from './mail-writer.ts'
import { continuesProse } from './prose-lines.ts'
import { readAppendedMail, readQuote } from './quote-reader.ts'
import type { BlockReader, Place, Taken } from './reader.ts'
import { readTable } from './table-reader.ts'
import { readTalk } from './talk-reader.ts'

/**
 * Cuts a text into blocks, in order, never overlapping, each character in one at most: every reader in turn is asked whether
 * it takes the line that reading stands at, and what none takes is prose. Takes time for the text's length alone. Never throws.
 */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let tables = 0
  let end = 0
  let isFresh = true
  for (
    let line = nextFullLine(text, 0);
    line !== undefined && blocks.length < BLOCKS_MAX;
    line = nextFullLine(text, end)
  ) {
    const afterHeading = blocks.at(-1)?.kind === 'heading'
    const taken = takeFrom({
      text,
      line,
      isFirst: end === 0,
      afterBlank: isFresh || line.start > end,
      tables,
      afterHeading
    })
    if (taken.blocks[0]?.kind === 'row') tables++
    for (const block of taken.blocks) add(text, blocks, block)
    isFresh = taken.blocks.at(-1)?.kind !== 'prose'
    end = taken.next
  }
  return withWriter(text, blocks)
}

/** In the order in which they are asked. */
const READERS: readonly BlockReader[] = [
  readFrontMatter,
  readMailHeader,
  readFencedCode,
  readUnreadable,
  readAppendedMail,
  readQuote,
  readRule,
  readTalk,
  readTable,
  readHeading,
  readList,
  readProgram,
  readFields
]

/** A text of more blocks is understood so far; what comes after is kept and found, and nothing is taken out of it. */
export const BLOCKS_MAX = 20_000

function takeFrom(place: Place): Taken {
  for (const reader of READERS) {
    const taken = reader(place)
    if (taken !== undefined) return taken
  }
  const { line } = place
  return { blocks: [{ kind: 'prose', start: line.first, end: line.end }], next: line.next }
}

/** In a mail, `I` is who wrote it. */
function withWriter(text: string, blocks: Block[]): Block[] {
  const speaker = mailWriter(text, blocks)
  if (speaker === undefined) return blocks
  return blocks.map((block) => (block.kind === 'prose' || block.kind === 'item' ? { speaker, ...block } : block))
}

/** `***`, `- - -`, `=====` between paragraphs: nothing to read. */
function readRule({ line, text }: Place): Taken | undefined {
  const sign = text[line.first]
  if (sign === undefined || !'-*_=~#+'.includes(sign) || line.end - line.first < 3) return undefined
  for (let at = line.first; at < line.end; at++) if (text[at] !== sign && text[at] !== ' ') return undefined
  return { blocks: [], next: line.next }
}

/** Adds a block; prose that goes on with the block before it makes that one longer. */
function add(text: string, blocks: Block[], block: Block): void {
  const above = blocks.at(-1)
  if (block.kind === 'prose' && above?.kind === 'prose' && continues(text, above, block)) above.end = block.end
  else blocks.push(block)
}

function continues(text: string, above: ProseBlock, block: ProseBlock): boolean {
  if (block.speaker !== undefined) return false
  const feed = text.indexOf('\n', above.end)
  const second = feed < 0 ? -1 : text.indexOf('\n', feed + 1)
  return (second < 0 || second >= block.start) && continuesProse(text, above, block.start)
}
