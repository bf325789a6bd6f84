import type { FactRecord } from '../../contract/snapshot.ts'
import type { Cell, RowBlock } from './block.ts'
import { makeFact } from './make-fact.ts'

/**
 * What the row of a table says: its first cell, or the cell under `Name`, has under each other column's name that cell. A
 * table of keys and values speaks of its topic, where it has one.
 */
export function tableFacts(text: string, row: RowBlock, topic: string | undefined): FactRecord[] {
  const subject = subjectCell(row.cells)
  if (row.isHeader || subject === undefined) return []
  const name = wordsOf(text, subject)
  const isPair = row.cells.length === 2 && KEY_COLUMNS.has(subject.column.toLowerCase())
  return row.cells.flatMap((cell) => {
    if (cell === subject || cell.start === cell.end || EMPTY.test(wordsOf(text, cell))) return []
    const value = wordsOf(text, cell)
    if (isPair && topic !== undefined)
      return makeFact({ subject: topic, predicate: name, value, rule: 'table.key-value', span: row }) ?? []
    const predicate = isPair ? 'is' : cell.column
    return makeFact({ subject: name, predicate, value, rule: 'table.cell', span: cell }) ?? []
  })
}

/** Columns whose cells number rows, and columns whose cells name them. */
const NUMBERING_COLUMNS: ReadonlySet<string> = new Set('#|no|no.|nr|nr.|n°|id|index|row|rank|pos|序号|№'.split('|'))
const NAMING_COLUMNS: ReadonlySet<string> = new Set(
  'name|full name|full_name|title|item|product|person|task|titel|nom|nombre|nome|naam|artikel|имя|название|名前|名称|姓名'.split(
    '|'
  )
)
const KEY_COLUMNS: ReadonlySet<string> = new Set(
  'key|property|field|attribute|setting|parameter|item|eigenschaft|feld|clé|clave|chiave|ключ|項目|项目'.split('|')
)

/** A cell that says that there is nothing. */
const EMPTY = /^(?:[-–—/.?]+|n\/?a|none|null|nil|tbd|tba)$/i

function subjectCell(cells: readonly Cell[]): Cell | undefined {
  const [first] = cells
  if (first === undefined || !NUMBERING_COLUMNS.has(first.column.toLowerCase())) return first
  return cells.find(({ column }) => NAMING_COLUMNS.has(column.toLowerCase())) ?? first
}

function wordsOf(text: string, { start, end }: Cell): string {
  return text.slice(start, Math.min(end, start + 500))
}
