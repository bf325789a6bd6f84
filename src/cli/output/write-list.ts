import type { Column, Desk, ListView, Rows } from './answer.ts'
import { jsonText } from './json-text.ts'
import { drawLine } from './line.ts'
import { makePage } from './make-page.ts'
import { checkFields, pickFields } from './pick-fields.ts'
import { drawTable } from './table.ts'
import { tsvLine } from './tsv.ts'

/** Writes rows as they come in every mode but `table`, which has to see them all to know how wide they are. */
export async function writeList<Row>(rows: Rows<Row>, view: ListView<Row>, desk: Desk): Promise<void> {
  const { fields, mode } = desk.options
  if (fields !== undefined)
    checkFields(fields, [...dropEyesOnly(view.columns).map(({ name }) => name), ...(view.fields ?? [])])
  if (mode === 'json') return writeArray(rows, view, desk)
  if (mode === 'jsonl') return writeLines(rows, (row) => `${jsonText(toJson(row, view, desk))}\n`, desk)
  if (mode === 'tsv') return writeTsv(rows, view, desk)
  await writeTable(rows, view, desk)
}

/** Rows are gathered into writes of about this many characters. */
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
    for (const line of view.lines(all, page)) await desk.output.write(`${drawLine(line, page.colors)}\n`)
    return
  }
  const columns = chooseColumns(view, desk).filter((column) => desk.options.fields !== undefined || !column.pipeOnly)
  const cells = all.map((row) => columns.map((column) => cellText(column, row)))
  const titles = columns.map((column) => ({ ...column, title: column.name }))
  await desk.output.write(drawTable(titles, cells, page))
}

/** Columns without those that are for eyes only. */
export function dropEyesOnly<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter((column) => !column.eyesOnly)
}

function toJson<Row>(row: Row, view: ListView<Row>, { options }: Desk): Record<string, unknown> {
  const value = view.json(row)
  return options.fields === undefined ? value : pickFields(value, options.fields)
}

/** The view's own columns, or those that were asked for: a field without a column is shown as it is in JSON. */
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

/** No terminal shows more of a cell. */
const CELL_CHARACTERS_MAX = 2048

function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.format !== undefined) return column.format(row)
  const value = column.value(row)
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.slice(0, CELL_CHARACTERS_MAX)
}
