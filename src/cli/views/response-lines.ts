import { GROUPS, type Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import { padText, wrapText } from '../output/fit-text.ts'
import { jsonText } from '../output/json-text.ts'
import type { Line, Page } from '../output/line.ts'
import { shortId } from '../output/short-forms.ts'
import { HEADINGS, type Shown, shownHits } from './shown-hits.ts'

/**
 * A MemoryResponse for eyes: numbered hits under the headings of their groups, a heading only where there are several.
 * What answers in the fewest words comes first.
 */
export function responseLines(response: MemoryResponse, page: Page): Line[] {
  const filled = GROUPS.filter((group) => response[group].length > 0)
  const lines = filled.flatMap((group) => [
    ...(filled.length > 1 ? [[{ text: HEADINGS[group], look: 'bold' as const }]] : []),
    ...groupLines(response, group, page),
    []
  ])
  return lines.slice(0, -1)
}

function groupLines(response: MemoryResponse, group: Group, page: Page): Line[] {
  const hits = shownHits(response, group)
  if (group !== 'semantics') return hits.flatMap((hit, index) => hitLines(hit, index + 1, page))
  const room = textRoom(hits, page)
  return hits.flatMap((hit, index) => [
    ...shortLines(hit, labelOf(index + 1), { ...page, room }),
    ...explanationLines(hit, page)
  ])
}

/** So much of a text is shown; `show` shows the rest. */
const TEXT_LINES_MAX = 4

const LABEL_COLUMNS = 4

function labelOf(number: number): string {
  return `${number}. `.padStart(LABEL_COLUMNS)
}

/** A head with the id beside it, and the text below. */
function hitLines(hit: Shown, number: number, page: Page): Line[] {
  const label = labelOf(number)
  const indent = ' '.repeat(label.length)
  const { width } = page
  const columns = page.columns - indent.length
  const id = shortId(hit.source)
  const beside = width(hit.head) + id.length + 2 <= columns
  const head = wrapText(hit.head, { columns: beside ? columns - id.length - 2 : columns, width, linesMax: 1 })[0] ?? ''
  const text = wrapText(hit.text, { columns, width, linesMax: TEXT_LINES_MAX })
  return [
    [label, { text: head, look: 'note' }, { text: beside ? `  ${id}` : '', look: 'dim' }],
    ...text.map((line) => [indent + line]),
    ...(beside ? [] : [[indent, { text: id, look: 'dim' as const }]]),
    ...explanationLines(hit, page)
  ]
}

/** The columns that texts have beside the longest head: as many as the longest text needs, where that leaves enough. */
function textRoom(hits: readonly Shown[], { columns, width }: Page): number {
  const heads = Math.max(0, ...hits.map(({ head }) => width(head)))
  const left = columns - LABEL_COLUMNS - heads - ID_COLUMNS - 2 * GAP.length
  return Math.min(left, Math.max(0, ...hits.map(({ text }) => width(text))))
}

const GAP = '  '
const ID_COLUMNS = shortId('mem_00000000').length

/** Text, head and id on one line where they fit; else the text first. */
function shortLines(hit: Shown, label: string, page: Page & { room: number }): Line[] {
  const { columns, width, room } = page
  const end: Line = [
    { text: hit.head, look: 'note' },
    { text: GAP + shortId(hit.source), look: 'dim' }
  ]
  if (width(hit.text) <= room && !hit.text.includes('\n')) return [[label, padText(hit.text, room, width), GAP, ...end]]
  const indent = ' '.repeat(label.length)
  const texts = wrapText(hit.text, { columns: columns - label.length, width, linesMax: TEXT_LINES_MAX })
  return [...texts.map((line, at): Line => [(at === 0 ? label : indent) + line]), [indent, ...end]]
}

function explanationLines({ explanation }: Shown, { columns, width }: Page): Line[] {
  if (explanation === undefined) return []
  const indent = ' '.repeat(LABEL_COLUMNS)
  return wrapText(jsonText(explanation), { columns: columns - indent.length, width }).map(
    (line): Line => [indent, { text: line, look: 'dim' }]
  )
}
