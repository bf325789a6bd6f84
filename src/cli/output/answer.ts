import type { Output } from '../../ports.ts'
import { jsonText } from './json-text.ts'
import { drawLine, type Line, type Page } from './line.ts'
import { makePage } from './make-page.ts'
import { checkFields, pickFields } from './pick-fields.ts'
import { tsvLine } from './tsv.ts'
import { writeList } from './write-list.ts'

/**
 * What stdout gets. `json` is one document, `jsonl` one value a line, `tsv` one row a line for pipes, `table` is for
 * eyes. A value is given once, with its view; which of them is drawn is decided here.
 */
export type OutputMode = 'table' | 'tsv' | 'json' | 'jsonl'

type AnswerOptions = {
  mode: OutputMode
  /** From `--fields`. */
  fields: readonly string[] | undefined
  /** A first TSV line with the names of the columns. */
  header: boolean
  colors: boolean
  /** Says something to a person, beside the answer. */
  note?: (text: string) => Promise<void>
}

export type Column<Row> = {
  /** The field's name, in the header line and for `--fields`. */
  name: string
  value(row: Row): unknown
  /** For eyes, where that differs from the value. */
  format?: (row: Row) => string
  look?: 'bold' | 'dim'
  flexible?: boolean
  /** Columns with a higher number leave a narrow terminal first; 0 or absent stays. */
  leaves?: number
  /** Not in a table unless `--fields` names it. */
  pipeOnly?: true
  /** In a table only: worked out of other fields. */
  eyesOnly?: true
}

export type ListView<Row> = {
  columns: readonly Column<Row>[]
  /** The JSON object of a row. */
  json(row: Row): Record<string, unknown>
  /** Fields that `--fields` may name besides the columns. */
  fields?: readonly string[]
  /** For eyes, in place of a table. */
  lines?: (rows: readonly Row[], page: Page) => Line[]
  /** Said to a person where a table would have no row. */
  empty?: string
}

export type ObjectView = {
  /** For eyes. */
  lines(page: Page): Line[]
  /** For pipes: rows of values. By default a row of name and value for each field. */
  rows?: () => unknown[][]
}

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>

export type Answer = {
  mode: OutputMode
  /** Whether stdout still has a reader, as far as the last write told: false ends a long listing or a watch. */
  isWanted(): boolean
  list<Row>(rows: Rows<Row>, view: ListView<Row>): Promise<void>
  object(value: Record<string, unknown>, view: ObjectView): Promise<void>
  /** Text for people, whether or not they look at a terminal; nothing in JSON mode. */
  story(lines: (page: Page) => readonly Line[]): Promise<void>
  /** A value on a line of its own as JSON, whatever the mode. */
  jsonLine(value: unknown): Promise<void>
  /** Text as it is, whatever the mode. For texts of this program, never for texts from elsewhere. */
  raw(text: string | Uint8Array): Promise<void>
}

/** The answer of a command that writes to `output`. */
export function makeAnswer(output: Output, options: AnswerOptions): Answer {
  return {
    mode: options.mode,
    isWanted: () => !output.closed,
    list: async (rows, view) => {
      await writeList(rows, view, { output, options })
    },
    object: async (value, view) => {
      await writeObject(value, view, { output, options })
    },
    story: async (lines) => {
      if (options.mode === 'json' || options.mode === 'jsonl') return
      await writeForEyes({ lines: (page) => [...lines(page)] }, { output, options })
    },
    jsonLine: async (value) => {
      await output.write(`${jsonText(value)}\n`)
    },
    raw: (text) => output.write(text)
  }
}

/** Where an answer goes and how. */
export type Desk = { output: Output; options: AnswerOptions }

/** Writes one object: as JSON, as tab-separated rows, or as lines for a person. */
async function writeObject(value: Record<string, unknown>, view: ObjectView, desk: Desk): Promise<void> {
  const { mode, fields } = desk.options
  if (fields !== undefined) checkFields(fields, Object.keys(value))
  const shown = fields === undefined ? value : pickFields(value, fields)
  if (mode === 'jsonl') return desk.output.write(`${jsonText(shown)}\n`)
  if (mode === 'json') return desk.output.write(`${jsonText(shown, desk.output.isTerminal ? 2 : 0)}\n`)
  if (mode === 'table' && fields === undefined) return writeForEyes(view, desk)
  if (mode === 'tsv' && fields !== undefined) return writeValues(shown, desk)
  const rows = fields === undefined && view.rows !== undefined ? view.rows() : Object.entries(shown)
  await desk.output.write(rows.map((row) => tsvLine(row)).join(''))
}

/** The values of chosen fields as a row, so that one field alone is its value. */
async function writeValues(shown: Record<string, unknown>, { output, options }: Desk): Promise<void> {
  const header = options.header ? tsvLine(Object.keys(shown)) : ''
  await output.write(`${header}${tsvLine(Object.values(shown))}`)
}

/** Writes lines for a person. */
async function writeForEyes(view: ObjectView, desk: Desk): Promise<void> {
  const page = await makePage(desk)
  const text = view.lines(page).map((line) => `${drawLine(line, page.colors)}\n`)
  await desk.output.write(text.join(''))
}
