import type { Desk, ObjectView } from './answer.ts'
import { jsonText } from './json-text.ts'
import { drawLine } from './line.ts'
import { makePage } from './make-page.ts'
import { checkFields, pickFields } from './pick-fields.ts'
import { tsvLine } from './tsv.ts'

/** Writes one object: as JSON, as tab-separated rows, or as lines for a person. */
export async function writeObject(value: Record<string, unknown>, view: ObjectView, desk: Desk): Promise<void> {
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
export async function writeForEyes(view: ObjectView, desk: Desk): Promise<void> {
  const page = await makePage(desk)
  const text = view.lines(page).map((line) => `${drawLine(line, page.colors)}\n`)
  await desk.output.write(text.join(''))
}
