import type { TextLine } from './text-line.ts'

/**
 * A piece of a text that is read in one way. Ranges are half-open, in UTF-16 code units of the whole text. Blocks are
 * ordered and never overlap; what lies between them (line breaks, rules, fences of nothing) means nothing.
 */
export type Block = ProseBlock | HeadingBlock | ItemBlock | FieldBlock | RowBlock | QuoteBlock | CodeBlock

export type Range = { start: number; end: number }

/** Sentences are read from it. `speaker`: whose words these are, where the text is a written-down talk or a mail. */
export type ProseBlock = Range & { kind: 'prose'; speaker?: string }

/** `level` 1 to 6 as in markdown; 7 for a line that only leads up to what follows it: `Shopping list:`. */
export type HeadingBlock = Range & { kind: 'heading'; level: number; content: Range }

/** `depth` from 0. `content` is the item without its marker and box; sentences are read from it. */
export type ItemBlock = Range & {
  kind: 'item'
  depth: number
  ordered: boolean
  marker: string
  content: Range
  speaker?: string
}

/** One thing that is said of something: `key: value`. `form` tells where such a line was met. */
export type FieldBlock = Range & { kind: 'field'; form: FieldForm; key: Range; value: Range }

type FieldForm = 'line' | 'item' | 'assignment' | 'front-matter' | 'mail'

/** A row of a table. `table` counts from 0; the header is a row too. The rest of an overlong table is one row without cells. */
export type RowBlock = Range & { kind: 'row'; table: number; isHeader: boolean; cells: Cell[] }

/** `column` is the text of the header above it. */
export type Cell = Range & { column: string }

/** Words of somebody else, or of another time. */
type QuoteBlock = Range & { kind: 'quote' }

/** What is no human language. */
type CodeBlock = Range & { kind: 'code' }

/** Where reading stands: a line that is not blank, and what came before it. */
export type BlockPlace = {
  text: string
  line: TextLine
  /** Nothing but blank lines came before. */
  isFirst: boolean
  /** The line does not go on with prose right above it. */
  afterBlank: boolean
  /** A heading is right above, blank lines aside. */
  afterHeading: boolean
  /** Tables so far. */
  tables: number
}

/** What a reader took: its blocks, and where the next line to be read starts. */
export type ReadBlocks = { blocks: Block[]; next: number }

/**
 * Takes the lines from a place on that are of its kind, or leaves them: undefined. What it looks at without taking it is
 * bounded by a few lines, so that reading a text takes time for its length alone.
 */
export type BlockReader = (place: BlockPlace) => ReadBlocks | undefined

/** What sentences are read from, in order: prose, and the texts of items. `speaker` where the text says whose words they are. */
export function listProseRanges(blocks: readonly Block[]): (Range & { speaker?: string })[] {
  return blocks.flatMap((block): (Range & { speaker?: string })[] => {
    if (block.kind !== 'item' && block.kind !== 'prose') return []
    const { start, end } = block.kind === 'item' ? block.content : block
    const { speaker } = block
    return [speaker === undefined ? { start, end } : { start, end, speaker }]
  })
}
