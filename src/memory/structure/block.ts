import type { TextLine } from './text-line.ts'

/**
 * A part of a text that is read in one way. Ranges are half-open, in UTF-16 code units of the whole text. Blocks are
 * ordered and never overlap; the text between them (line breaks, rules, empty fences) carries no content.
 */
export type Block = ProseBlock | HeadingBlock | ItemBlock | FieldBlock | RowBlock | QuoteBlock | CodeBlock

export type Range = { start: number; end: number }

/** Running text that is read as sentences. `speaker` is set in a transcript or a mail. */
export type ProseBlock = Range & { kind: 'prose'; speaker?: string }

/** `level` is 1 to 6 as in Markdown, or 7 for a line that only introduces what follows: `Shopping list:`. */
export type HeadingBlock = Range & { kind: 'heading'; level: number; content: Range }

/**
 * `depth` counts from 0. `content` is the item without its marker and box; sentences are read from it. `task` is the state
 * of its box, if it has one: `- [ ] call the bank` is open, `- [x] call the bank` done.
 */
export type ItemBlock = Range & {
  kind: 'item'
  depth: number
  ordered: boolean
  marker: string
  content: Range
  task?: 'open' | 'done'
  speaker?: string
}

/** A statement `key: value`. `form` is the kind of line it came from. */
export type FieldBlock = Range & { kind: 'field'; form: FieldForm; key: Range; value: Range }

type FieldForm = 'line' | 'item' | 'assignment' | 'front-matter' | 'mail'

/**
 * A row of a table. `table` counts from 0; the header is also a row. The rest of an overlong table is one row without
 * cells.
 */
export type RowBlock = Range & { kind: 'row'; table: number; isHeader: boolean; cells: Cell[] }

/** `column` is the text of its header cell. */
export type Cell = Range & { column: string }

/** Words of another person or from another time. */
type QuoteBlock = Range & { kind: 'quote' }

/** Text that is not natural language. */
type CodeBlock = Range & { kind: 'code' }

/** The current position: a line that is not blank, and what precedes it. */
export type BlockPlace = {
  text: string
  line: TextLine
  /** Only blank lines precede it. */
  isFirst: boolean
  /** The line does not continue prose directly above it. */
  afterBlank: boolean
  /** A heading directly precedes it, apart from blank lines. */
  afterHeading: boolean
  /** Number of tables so far. */
  tables: number
}

/** The blocks that a reader took, and where the next line to be read starts. */
export type ReadBlocks = { blocks: Block[]; next: number }

/**
 * Reads the lines of its kind from a place on, or returns undefined. It may look ahead only a few lines, so that the
 * total time is linear in the length of the text.
 */
export type BlockReader = (place: BlockPlace) => ReadBlocks | undefined

/**
 * Lists the ranges that sentences are read from, in order: prose and the contents of items, with their speaker if
 * known.
 */
export function listProseRanges(blocks: readonly Block[]): (Range & { speaker?: string })[] {
  return blocks.flatMap((block): (Range & { speaker?: string })[] => {
    if (block.kind !== 'item' && block.kind !== 'prose') return []
    const { start, end } = block.kind === 'item' ? block.content : block
    const { speaker } = block
    return [speaker === undefined ? { start, end } : { start, end, speaker }]
  })
}
