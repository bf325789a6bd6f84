import type { Block, BlockReader, ItemBlock } from './block.ts'
import { readFieldLine } from './field-line.ts'
import { classifyFields, toFieldText } from './read-fields.ts'
import { isBlank, type Marker, readLine, readMarker, readNextFullLine, type TextLine } from './text-line.ts'

/**
 * Reads a list with all its levels. Indented lines and lines that complete a sentence continue an item. Items in the
 * form of fields (`- Owner: Ada`) become fields if they support each other.
 */
export const readList: BlockReader = ({ text, line }) => {
  const first = readMarker(text, line)
  if (first === undefined || !startsList(text, line, first)) return undefined
  const items: ItemBlock[] = []
  const indents: number[] = []
  let at: TextLine | undefined = line
  let next = line.next
  for (let marker: Marker | undefined = first; at !== undefined && marker !== undefined && items.length < ITEMS_MAX; ) {
    while ((indents.at(-1) ?? -1) >= at.indent) indents.pop()
    const end = findItemEnd(text, at, marker)
    const content = { start: marker.content, end: end.end }
    const { marker: sign, ordered, task } = marker
    const item: ItemBlock = {
      kind: 'item',
      start: at.first,
      end: end.end,
      depth: indents.length,
      ordered,
      marker: sign,
      content
    }
    items.push(task === undefined ? item : { ...item, task })
    indents.push(at.indent)
    next = end.next
    at = readNextItemLine(text, next)
    marker = at === undefined ? undefined : readMarker(text, at)
  }
  return { blocks: splitFields(text, items), next }
}

/**
 * Checks that a list starts here. A number other than the first (`3. Mai war es kalt`) or a lone unusual bullet needs a
 * sibling in the next line with text.
 */
function startsList(text: string, line: TextLine, { marker, number, ordered }: Marker): boolean {
  if (ordered ? number === undefined || number <= 1 || /\p{L}/u.test(marker) : /[-*•+]/.test(marker)) return true
  const sibling = readNextFullLine(text, line.next)
  const following = sibling === undefined ? undefined : readMarker(text, sibling)
  return (
    following !== undefined && following.ordered === ordered && (!ordered || following.number === (number ?? 0) + 1)
  )
}

/** Returns the last line of the item that starts at `line`. */
function findItemEnd(text: string, line: TextLine, { content }: Marker): TextLine {
  let last = line
  while (last.next < text.length) {
    const line2 = readLine(text, last.next)
    if (isBlank(line2) || readMarker(text, line2) !== undefined) break
    const isWrapped =
      last.end - last.first > WRAPPED_UNITS && /^[\p{Ll}\p{N}(]/u.test(text.slice(line2.first, line2.first + 2))
    if (line2.indent <= line.indent && !isWrapped) break
    if (text.startsWith('```', line2.first) || text.startsWith('>', line2.first)) break
    last = line2
  }
  return last.end > content ? last : line
}

/** A longer list is read as several. */
const ITEMS_MAX = 10_000

/** A longer line may have been wrapped by hand. */
const WRAPPED_UNITS = 55

/** Returns the next line that may hold an item, after at most one blank line. */
function readNextItemLine(text: string, from: number): TextLine | undefined {
  if (from >= text.length) return undefined
  const line = readLine(text, from)
  if (!isBlank(line)) return line
  const second = line.next < text.length ? readLine(text, line.next) : line
  return isBlank(second) ? undefined : second
}

function splitFields(text: string, items: readonly ItemBlock[]): Block[] {
  const fields = items.map(({ content, task }) => (task === undefined ? readFieldLine(text, content) : undefined))
  const shaped = fields.filter((field) => field !== undefined)
  if (shaped.length === 0) return [...items]
  const verdicts = classifyFields(shaped.map((field) => toFieldText(text, field, true)))
  let n = 0
  return items.map((item, at): Block => {
    const field = fields[at]
    if (field === undefined || verdicts[n++] !== 'field') return item
    return { kind: 'field', form: 'item', start: item.start, end: item.end, key: field.key, value: field.value }
  })
}
