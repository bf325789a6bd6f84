import { isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml'
import type { BlockReader, FieldBlock, Range } from './block.ts'
import { isBlank, readLine, type TextLine } from './text-line.ts'

/**
 * Reads the fields between the two `---` (YAML) or `+++` (TOML) at the top of a text; a list gives one field per value.
 * Maps within a value give none. A value that is not valid YAML, such as `Tides: a guide`, is read as it stands.
 */
export const readFrontMatter: BlockReader = ({ text, line, isFirst }) => {
  const fence = text.slice(line.first, line.end)
  if (!isFirst || (fence !== '---' && fence !== '+++')) return undefined
  const entries: Entry[] = []
  let at = line
  for (let count = 0; count < LINES_MAX && at.next < text.length; count++) {
    at = readLine(text, at.next)
    const content = text.slice(at.first, at.end)
    if (content === fence || content === '...') {
      const blocks = entries.flatMap((entry) => buildFields(text, entry))
      return blocks.length > 0 ? { blocks, next: at.next } : undefined
    }
    if (!takeLine(text, at, entries)) return undefined
  }
  return undefined
}

/** The closing fence of front matter must be within this number of lines. */
const LINES_MAX = 200

/** Maximum number of values of a list that become fields. */
const VALUES_MAX = 20

/** A longer value is not parsed. */
const VALUE_UNITS_MAX = 4_000

const KEY = /^[\p{L}_"'][\p{L}\p{N}_ ."'-]{0,60}?\s*(?::(?=\s|$)|=)/u

/** A key, and everything up to the next key. */
type Entry = { key: Range; value: Range }

/** Adds a line to the entries: a key, or a further line of the value above it. Returns false if it is neither. */
function takeLine(text: string, line: TextLine, entries: Entry[]): boolean {
  const last = entries.at(-1)
  const entry = line.indent === 0 ? readEntry(text, line) : undefined
  const continues = line.indent > 0 || /^(?:- |[\]}])/.test(text.slice(line.first, line.first + 2))
  if (entry !== undefined) entries.push(entry)
  else if (isBlank(line) || (line.indent === 0 && text[line.first] === '#')) return true
  else if (last !== undefined && continues) last.value.end = line.end
  else return false
  return true
}

function readEntry(text: string, { first, end }: TextLine): Entry | undefined {
  const match = KEY.exec(text.slice(first, Math.min(end, first + 80)))?.[0]
  if (match === undefined) return undefined
  const sign = first + match.length - 1
  return { key: trimRange(text, { start: first, end: sign }), value: { start: sign + 1, end } }
}

function buildFields(text: string, { key, value }: Entry): FieldBlock[] {
  return listValues(text, value)
    .filter(({ start, end }) => start < end)
    .slice(0, VALUES_MAX)
    .map((range, n) => ({
      kind: 'field',
      form: 'front-matter',
      start: n === 0 ? key.start : range.start,
      end: range.end,
      key,
      value: range
    }))
}

function listValues(text: string, value: Range): Range[] {
  const source = text.slice(value.start, value.end)
  const isLine = !source.includes('\n')
  const whole = isLine ? [trimRange(text, value)] : []
  if (value.end - value.start > VALUE_UNITS_MAX || isDeep(source)) return whole
  const { contents, errors } = parseDocument(source, { logLevel: 'silent' })
  if (errors.length > 0 || (isLine && !isScalar(contents) && !/^\s*[[{]/.test(source))) return whole
  return listScalars(contents).map((scalar) => locate(source, scalar, value.start))
}

/** Recognises nesting that could exhaust the stack of the parser. */
function isDeep(source: string): boolean {
  return /(?:[-?:]\s+){10}/.test(source) || (source.match(/[[{]/g)?.length ?? 0) > BRACKETS_MAX
}

const BRACKETS_MAX = 100

/** Lists a scalar, or the scalars of a list. `[[Harbour]]` without quotation marks is a list in a list. */
function listScalars(node: Node | null): Scalar[] {
  if (isScalar(node)) return [node]
  return isSeq<Node>(node) ? node.items.flatMap((item) => listScalars(item)) : []
}

/** Returns the range of a scalar in the text, without quotation marks and without the sign of a block (`>`, `|`). */
function locate(source: string, { range, type }: Scalar, offset: number): Range {
  const [from, to] = range ?? [0, 0, 0]
  const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE'
  const isBlock = type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL'
  const start = isBlock ? source.indexOf('\n', from) + 1 : isQuoted ? from + 1 : from
  const words = source.slice(start, isQuoted ? to - 1 : to)
  const first = offset + start + words.length - words.trimStart().length
  return { start: first, end: Math.max(first, offset + start + words.trimEnd().length) }
}

/** Excludes white space and quotation marks at both ends. */
function trimRange(text: string, { start, end }: Range): Range {
  let from = start
  let to = end
  while (from < to && ' \t'.includes(text.charAt(from))) from++
  while (to > from && ' \t'.includes(text.charAt(to - 1))) to--
  const quote = text[from]
  const isQuoted = to - from > 1 && (quote === '"' || quote === "'") && text[to - 1] === quote
  return isQuoted ? { start: from + 1, end: to - 1 } : { start: from, end: to }
}
