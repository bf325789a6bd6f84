import type { Block, ProseBlock } from './block.ts'
import { type FieldLine, readFieldLine } from './field-line.ts'
import { type FieldText, judgeFields } from './judge-fields.ts'
import { isBlank, type Line, readLine } from './line.ts'
import { readMarker } from './list-marker.ts'
import type { BlockReader } from './reader.ts'

/** Reads a run of lines that have the shape of fields, a blank line between two of them at most. */
export const readFields: BlockReader = ({ text, line }) => {
  const run: { line: Line; field: FieldLine }[] = []
  let next = line.start
  for (let at: Line | undefined = line; at !== undefined && run.length < RUN_LINES_MAX; at = lineAfter(text, at)) {
    const field = readMarker(text, at) === undefined ? readFieldLine(text, { start: at.first, end: at.end }) : undefined
    if (field === undefined) break
    run.push({ line: at, field })
    next = at.next
  }
  if (run.length === 0) return undefined
  const verdicts = judgeFields(run.map(({ field }) => fieldText(text, field, false)))
  return { blocks: run.map(({ line: at, field }, n) => blockOf(text, { ...field, line: at }, verdicts[n])), next }
}

/** The words of a line that has the shape of a field, as they are judged. A long value is cut: it is judged by its length. */
export function fieldText(text: string, { key, value, sign }: FieldLine, isItem: boolean): FieldText {
  const end = Math.min(value.end, value.start + VALUE_UNITS_MAX)
  return { key: text.slice(key.start, key.end), value: text.slice(value.start, end), sign, isItem }
}

/** So many lines are judged together. */
const RUN_LINES_MAX = 200
const VALUE_UNITS_MAX = 400

function lineAfter(text: string, { next }: Line): Line | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  const second = line.next < text.length ? readLine(text, line.next) : line
  return isBlank(second) ? undefined : second
}

function blockOf(text: string, { key, value, sign, line }: FieldLine & { line: Line }, verdict?: string): Block {
  const range = { start: line.first, end: line.end }
  if (verdict === 'field') return { kind: 'field', form: sign === '=' ? 'assignment' : 'line', ...range, key, value }
  if (verdict === 'prose') return { kind: 'prose', ...range }
  const turn: ProseBlock = { kind: 'prose', start: value.start, end: value.end }
  return { ...turn, speaker: text.slice(key.start, key.end).replace(/\s+/g, ' ') }
}
