import type { Block } from './block.ts'
import type { Line } from './line.ts'

/** Where reading stands: a line that is not blank, and what came before it. */
export type Place = {
  text: string
  line: Line
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
export type Taken = { blocks: Block[]; next: number }

/**
 * Takes the lines from a place on that are of its kind, or leaves them: undefined. What it looks at without taking it is
 * bounded by a few lines, so that reading a text takes time for its length alone.
 */
export type BlockReader = (place: Place) => Taken | undefined
