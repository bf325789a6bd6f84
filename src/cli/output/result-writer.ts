import type { Output } from '../../ports.ts'
import { drawTable } from './draw-table.ts'
import { jsonText } from './json-text.ts'
import { checkFields, pickFields } from './pick-fields.ts'
import { shortGuids } from './short-forms.ts'
import { drawLine, makePage, type Page, type StyledLine } from './styled-line.ts'

/**
 * The format of stdout. `json` is one document, `jsonl` one value a line, `tsv` one row a line for pipes, and `table`
 * is for terminals. A command passes a value once, with its view; the writer chooses what to print.
 */
export type OutputMode = 'table' | 'tsv' | 'json' | 'jsonl'

type AnswerOptions = {
  mode: OutputMode
  /** The fields that `--fields` names. */
  fields: readonly string[] | undefined
  /** Whether the first TSV line has the names of the columns. */
  header: boolean
  colors: boolean
  /** Writes a note to stderr. */
  note?: (text: string) => Promise<void>
}

export type Column<Row> = {
  /** The field's name, in the header line and for `--fields`. */
  name: string
  value(row: Row): unknown
  /** The text on a terminal, if it differs from the value. */
  format?: (row: Row) => string
  /** Set for the id of an object on the server, which a table shortens to what is unique among its rows. */
  shortens?: true
  look?: 'bold' | 'dim'
  flexible?: boolean
  /** Columns with a higher number are dropped first on a narrow terminal; 0 or absent columns stay. */
  leaves?: number
  /** Omitted from a table unless `--fields` names it. */
  pipeOnly?: true
  /** Shown only in a table, because it is computed from other fields. */
  eyesOnly?: true
}

export type ListView<Row> = {
  columns: readonly Column<Row>[]
  /** The JSON object of a row. */
  json(row: Row): Record<string, unknown>
  /** Fields besides the columns that `--fields` may name. */
  fields?: readonly string[]
  /** Lines to show on a terminal instead of a table. */
  lines?: (rows: readonly Row[], page: Page) => StyledLine[]
  /** A note to show instead of a table without rows. */
  empty?: string
}

export type ObjectView = {
  /** Lines for a terminal. */
  lines(page: Page): StyledLine[]
  /** Rows of values for pipes; by default, a row of name and value for each field. */
  rows?: () => unknown[][]
}

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>

export type ResultWriter = {
  mode: OutputMode
  /** Returns false after the last write found that stdout has no reader, which ends a long listing or a watch. */
  isWanted(): boolean
  list<Row>(rows: Rows<Row>, view: ListView<Row>): Promise<void>
  object(value: Record<string, unknown>, view: ObjectView): Promise<void>
  /** Writes text for people, on a terminal and in a pipe; nothing in JSON mode. */
  story(lines: (page: Page) => readonly StyledLine[]): Promise<void>
  /** Writes a value as JSON on a line of its own, in every mode. */
  jsonLine(value: unknown): Promise<void>
  /** Writes text unchanged, in every mode. Only for texts of this program, never for untrusted ones. */
  raw(text: string | Uint8Array): Promise<void>
}

/** Returns the writer of a command's output. */
export function makeResultWriter(output: Output, options: AnswerOptions): ResultWriter {
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

/** The output and the options of a writer. */
type Desk = { output: Output; options: AnswerOptions }

/** Writes one object: as JSON, as tab-separated rows, or as lines for a terminal. */
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

/** Writes the values of the chosen fields as a row, so that a single field prints its value alone. */
async function writeValues(shown: Record<string, unknown>, { output, options }: Desk): Promise<void> {
  const header = options.header ? tsvLine(Object.keys(shown)) : ''
  await output.write(`${header}${tsvLine(Object.values(shown))}`)
}

/** Writes lines for a terminal. */
async function writeForEyes(view: ObjectView, desk: Desk): Promise<void> {
  const page = await makePage(desk)
  const text = view.lines(page).map((line) => `${drawLine(line, page.colors, page.links)}\n`)
  await desk.output.write(text.join(''))
}

/** Writes rows as they arrive, except in `table` mode, which needs all of them to compute the widths. */
async function writeList<Row>(rows: Rows<Row>, view: ListView<Row>, desk: Desk): Promise<void> {
  const { fields, mode } = desk.options
  if (fields !== undefined)
    checkFields(fields, [...dropEyesOnly(view.columns).map(({ name }) => name), ...(view.fields ?? [])])
  if (mode === 'json') return writeArray(rows, view, desk)
  if (mode === 'jsonl') return writeLines(rows, (row) => `${jsonText(toJson(row, view, desk))}\n`, desk)
  if (mode === 'tsv') return writeTsv(rows, view, desk)
  await writeTable(rows, view, desk)
}

/** Approximate number of characters that are collected into one write. */
const WRITE_CHARACTERS = 1 << 16

async function writeLines<Row>(rows: Rows<Row>, line: (row: Row) => string, { output }: Desk): Promise<void> {
  let waiting = ''
  for await (const row of rows) {
    waiting += line(row)
    if (waiting.length < WRITE_CHARACTERS) continue
    await output.write(waiting)
    waiting = ''
    if (output.closed) return
  }
  if (waiting !== '') await output.write(waiting)
}

async function writeArray<Row>(rows: Rows<Row>, view: ListView<Row>, desk: Desk): Promise<void> {
  let before = '[\n'
  const line = (row: Row) => {
    const text = before + jsonText(toJson(row, view, desk))
    before = ',\n'
    return text
  }
  await writeLines(rows, line, desk)
  await desk.output.write(before === '[\n' ? '[]\n' : '\n]\n')
}

async function writeTsv<Row>(rows: Rows<Row>, view: ListView<Row>, desk: Desk): Promise<void> {
  const columns = dropEyesOnly(chooseColumns(view, desk))
  if (desk.options.header) await desk.output.write(tsvLine(columns.map((column) => column.name)))
  await writeLines(rows, (row) => tsvLine(columns.map((column) => column.value(row))), desk)
}

async function writeTable<Row>(rows: Rows<Row>, view: ListView<Row>, desk: Desk): Promise<void> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  if (all.length === 0) {
    if (view.empty !== undefined) await desk.options.note?.(view.empty)
    return
  }
  const page = await makePage(desk)
  if (view.lines !== undefined && desk.options.fields === undefined) {
    for (const line of view.lines(all, page)) await desk.output.write(`${drawLine(line, page.colors, page.links)}\n`)
    return
  }
  const columns = chooseColumns(view, desk).filter((column) => desk.options.fields !== undefined || !column.pipeOnly)
  const shorten = columns.map((column) => makeShortener(column, all))
  const cells = all.map((row) => columns.map((column, at) => shorten[at]?.(row) ?? cellText(column, row)))
  const titles = columns.map((column) => ({ ...column, title: column.name }))
  await desk.output.write(drawTable(titles, cells, page))
}

/** Returns the columns without those that only a table shows. */
export function dropEyesOnly<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter((column) => !column.eyesOnly)
}

function toJson<Row>(row: Row, view: ListView<Row>, { options }: Desk): Record<string, unknown> {
  const value = view.json(row)
  return options.fields === undefined ? value : pickFields(value, options.fields)
}

/** Returns the view's columns, or those that `--fields` names. A field without a column is shown as in JSON. */
function chooseColumns<Row>(view: ListView<Row>, { options }: Desk): readonly Column<Row>[] {
  if (options.fields === undefined) return view.columns
  return options.fields.map(
    (name) =>
      view.columns.find((column) => column.name === name) ?? {
        name,
        flexible: true,
        value: (row) => view.json(row)[name]
      }
  )
}

/** Returns the function that shortens the ids of a column; undefined for other columns. */
function makeShortener<Row>({ shortens, value }: Column<Row>, rows: readonly Row[]) {
  if (shortens === undefined) return undefined
  const shorten = shortGuids(rows.map((row) => ({ id: String(value(row)) })))
  return (row: Row): string => shorten(String(value(row)))
}

/** Maximum number of characters of a cell. */
const CELL_CHARACTERS_MAX = 2048

function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.format !== undefined) return column.format(row)
  const value = column.value(row)
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.slice(0, CELL_CHARACTERS_MAX)
}

/**
 * Formats one line of tab-separated values with its LF. Escapes everything in a value that could look like a tab, a
 * line end or a terminal command.
 */
export function tsvLine(values: readonly unknown[]): string {
  return `${values.map(tsvValue).join('\t')}\n`
}

/**
 * Formats a value: absent is empty, and a value other than a string is written as JSON. Backslash, tab, LF, CR and
 * other control characters become `\\ \t \n \r \uXXXX`.
 */
function tsvValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.replace(ESCAPED, (letter) => SHORT[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ESCAPED = /[\p{Cc}\\\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu
const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
