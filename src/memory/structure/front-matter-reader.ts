import type { Block, FieldBlock, Range } from './block.ts'
import { isBlank, type Line, readLine } from './line.ts'
import type { BlockReader } from './reader.ts'

/** Reads the fields between the two `---` (or `+++`) at the very top of a text; lists under a key become a field each. */
export const readFrontMatter: BlockReader = ({ text, line, isFirst }) => {
  const fence = text.slice(line.first, line.end)
  if (!isFirst || (fence !== '---' && fence !== '+++')) return undefined
  const blocks: Block[] = []
  let key: Range | undefined
  let at = line
  for (let count = 0; count < LINES_MAX && at.next < text.length; count++) {
    at = readLine(text, at.next)
    const content = text.slice(at.first, at.end)
    if (content === fence || content === '...') return blocks.length > 0 ? { blocks, next: at.next } : undefined
    if (isBlank(at) || content.startsWith('#')) continue
    const entry: Entry | undefined = entryOf(text, at, key)
    if (entry === undefined) return undefined
    key = entry.key
    if (entry.value.end > entry.value.start) blocks.push(fieldOf(at, entry))
  }
  return undefined
}

/** Where the second fence is further away, it is none. */
const LINES_MAX = 200
const KEY = /^[\p{L}_"'][\p{L}\p{N}_ ."'-]{0,60}?\s*(?::(?=\s|$)|=)/u

type Entry = { key: Range; value: Range }

/** `tags: [a, b]`, or `- a` under `tags:`. */
function entryOf(text: string, line: Line, above: Range | undefined): Entry | undefined {
  const content = text.slice(line.first, Math.min(line.end, line.first + 80))
  if (content.startsWith('- ') && above !== undefined)
    return { key: above, value: trimmedRange(text, line.first + 2, line.end) }
  const match = KEY.exec(content)?.[0]
  if (match === undefined) return undefined
  const sign = line.first + match.length - 1
  return { key: trimmedRange(text, line.first, sign), value: trimmedRange(text, sign + 1, line.end) }
}

function fieldOf({ first, end }: Line, { key, value }: Entry): FieldBlock {
  return { kind: 'field', form: 'front-matter', start: first, end, key, value }
}

/** Without white space and quotation marks at both ends. */
function trimmedRange(text: string, start: number, end: number): Range {
  let from = start
  let to = end
  while (from < to && ' \t'.includes(text.charAt(from))) from++
  while (to > from && ' \t'.includes(text.charAt(to - 1))) to--
  const quote = text[from]
  if (to - from > 1 && (quote === '"' || quote === "'") && text[to - 1] === quote)
    return { start: from + 1, end: to - 1 }
  return { start: from, end: to }
}
