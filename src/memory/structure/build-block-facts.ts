import type { FactRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Block, Cell, RowBlock } from './block.ts'
import { buildFieldFacts } from './build-field-facts.ts'
import { buildListFacts, type ClassifyItem, type ListSubjects } from './build-list-facts.ts'
import { makeFact } from './make-fact.ts'
import { isKnownKey } from './read-fields.ts'
import { buildMailFacts, findMailWriter } from './read-mail-header.ts'
import { findTopics, type Topic } from './topic.ts'

/** Maximum number of facts from blocks per memory, such as the first rows of a long table. */
export const BLOCK_FACTS_MAX = 200

/**
 * Builds facts from the layout of a text in any language: fields, tables, mail headers, and lists under a heading. Each
 * span is the line or cell of the fact. Returns at most `BLOCK_FACTS_MAX` facts in text order.
 */
export function buildBlockFacts(
  blocks: readonly Block[],
  source: TextSource,
  { times = [], classify = () => 'name' }: Reading = {}
): FactRecord[] {
  const facts: FactRecord[] = []
  const topics = findTopics(source.text, blocks)
  const title = source.title ?? findFrontTitle(source.text, blocks)
  const speaker = findMailWriter(source.text, blocks) ?? source.speaker
  const voice = { text: source.text, speaker, classify }
  for (let from = 0; from < blocks.length && facts.length < BLOCK_FACTS_MAX; ) {
    const to = findRunEnd(blocks, from)
    const topic = toSubjects(topics[from], title)
    for (const fact of buildRunFacts(blocks.slice(from, to), { ...voice, at: times[from] ?? source.at }, topic))
      facts.push(fact)
    if (to - from === 1)
      for (const fact of buildHeadingFact(source.text, blocks, { at: from, topic: topic.above })) facts.push(fact)
    from = to
  }
  return facts.slice(0, BLOCK_FACTS_MAX)
}

/** The time that each block's relative dates refer to, and what the sentences say about items. */
type Reading = { times?: readonly (string | undefined)[]; classify?: ClassifyItem }

/** Maximum number of blocks of one kind that are read together. */
const RUN_BLOCKS_MAX = 200

/** Returns the end of a run of blocks of one kind, with fields of one form. */
function findRunEnd(blocks: readonly Block[], from: number): number {
  const first = blocks[from]
  let to = from + 1
  for (let next = blocks[to]; next !== undefined && to - from < RUN_BLOCKS_MAX; next = blocks[++to]) {
    if (next.kind !== first?.kind || first.kind === 'heading') break
    if (next.kind === 'field' && first.kind === 'field' && next.form !== first.form) break
  }
  return to
}

function buildRunFacts(run: readonly Block[], voice: Voice, about: ListSubjects): FactRecord[] {
  const { text, speaker } = voice
  const topic = about.nearest
  const fields = run.filter((block) => block.kind === 'field')
  if (fields[0]?.form === 'mail') return buildMailFacts(text, fields, topic)
  if (fields.length > 0) return buildFieldFacts(text, fields, { topic, speaker })
  const rows = run.filter((block) => block.kind === 'row')
  if (rows.length > 0) return rows.flatMap((row) => buildTableFacts(text, row, topic))
  const items = run.filter((block) => block.kind === 'item')
  return buildListFacts(items, about, voice)
}

/** A text with its time, and the person that `my` refers to. */
type Voice = Pick<TextSource, 'text' | 'at' | 'speaker'> & { classify: ClassifyItem }

/** Uses the title of the text where no heading names a topic. */
function toSubjects(topic: Topic | undefined, title: string | undefined): ListSubjects {
  return { words: topic?.words ?? title, nearest: topic?.nearest ?? title, above: topic?.above ?? title }
}

/** Returns the title from the front matter. */
function findFrontTitle(text: string, blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'field' || block.form !== 'front-matter') return undefined
    const { key, value } = block
    if (/^(?:title|name)$/i.test(text.slice(key.start, key.end)))
      return text.slice(value.start, value.end).slice(0, 200)
  }
  return undefined
}

/**
 * Builds the facts of a table row. Its subject is the first cell, or the cell under `Name`; each other column gives a
 * fact. A table of keys and values has its topic as the subject, if there is one.
 */
function buildTableFacts(text: string, row: RowBlock, topic: string | undefined): FactRecord[] {
  const subject = findSubjectCell(row.cells)
  if (row.isHeader || subject === undefined) return []
  const name = readCell(text, subject)
  const isPair = row.cells.length === 2 && KEY_COLUMNS.has(subject.column.toLowerCase())
  return row.cells.flatMap((cell) => {
    if (cell === subject || cell.start === cell.end || EMPTY.test(readCell(text, cell))) return []
    const value = readCell(text, cell)
    if (isPair && topic !== undefined)
      return makeFact({ subject: topic, predicate: name, value, rule: 'table.key-value', span: row }) ?? []
    const predicate = isPair ? 'is' : cell.column
    return makeFact({ subject: name, predicate, value, rule: 'table.cell', span: cell }) ?? []
  })
}

/** Names of columns that number rows, and of columns that name them. */
const NUMBERING_COLUMNS: ReadonlySet<string> = new Set('#|no|no.|nr|nr.|n°|id|index|row|rank|pos|序号|№'.split('|'))
const NAMING_COLUMNS: ReadonlySet<string> = new Set(
  'name|full name|full_name|title|item|product|person|task|titel|nom|nombre|nome|naam|artikel|имя|название|名前|名称|姓名'.split(
    '|'
  )
)
const KEY_COLUMNS: ReadonlySet<string> = new Set(
  'key|property|field|attribute|setting|parameter|item|eigenschaft|feld|clé|clave|chiave|ключ|項目|项目'.split('|')
)

/** Cells without content. */
const EMPTY = /^(?:[-–—/.?]+|n\/?a|none|null|nil|tbd|tba)$/i

function findSubjectCell(cells: readonly Cell[]): Cell | undefined {
  const [first] = cells
  if (first === undefined || !NUMBERING_COLUMNS.has(first.column.toLowerCase())) return first
  return cells.find(({ column }) => NAMING_COLUMNS.has(column.toLowerCase())) ?? first
}

function readCell(text: string, { start, end }: Cell): string {
  return text.slice(start, Math.min(end, start + 500))
}

/** A paragraph, by its index among the blocks, and the topic above its heading. */
type Titled = { at: number; topic: string | undefined }

/** "# Boat shed" over "## Address" over a lone "Pier 4" is (Boat shed, address, Pier 4). */
function buildHeadingFact(text: string, blocks: readonly Block[], { at, topic }: Titled): FactRecord[] {
  const [heading, value, below] = [blocks[at - 1], blocks[at], blocks[at + 1]]
  if (heading?.kind !== 'heading' || value?.kind !== 'prose' || topic === undefined) return []
  if (below !== undefined && below.kind !== 'heading') return []
  const predicate = text.slice(heading.content.start, heading.content.end)
  const words = text.slice(value.start, Math.min(value.end, value.start + VALUE_UNITS_MAX + 1))
  if (!isKnownKey(predicate) || words.length > VALUE_UNITS_MAX || /[.!?。！？\n]/.test(words)) return []
  const fact = makeFact({ subject: topic, predicate, value: words, rule: 'heading.value', span: value })
  return fact === undefined || topic === predicate ? [] : [fact]
}

const VALUE_UNITS_MAX = 100
