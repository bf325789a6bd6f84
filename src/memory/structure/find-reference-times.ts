import type { TextSource } from '../language/text-source.ts'
import { readTimes } from '../time/read-times.ts'
import type { Block, FieldBlock } from './block.ts'

/**
 * Returns for each block the time that relative dates refer to: of the heading above that names a day (`2026-03-05`,
 * `Thursday, 5 March 2026`), otherwise of the front matter, the title, or the text itself. Days are given as their noon,
 * UTC.
 */
export function findReferenceTimes(source: TextSource, blocks: readonly Block[]): (string | undefined)[] {
  const base = findFrontDay(source.text, blocks) ?? readDay(source.title) ?? source.at
  let open: { level: number; at: string }[] = []
  return blocks.map((block) => {
    if (block.kind === 'heading') {
      const { level, content } = block
      const day = readDay(source.text.slice(content.start, content.end))
      open = open.filter((heading) => heading.level < level)
      if (day !== undefined) open.push({ level, at: day })
    }
    return open.at(-1)?.at ?? base
  })
}

/** Keys of front matter for the day that a note is about, the first one found counts. */
const DAY_KEYS = ['date', 'day', 'created', 'created_at', 'datum']

function findFrontDay(text: string, blocks: readonly Block[]): string | undefined {
  const fields: FieldBlock[] = []
  for (const block of blocks) {
    if (block.kind !== 'field' || block.form !== 'front-matter') break
    fields.push(block)
  }
  for (const name of DAY_KEYS) {
    const field = fields.find(({ key }) => text.slice(key.start, key.end).toLowerCase() === name)
    const day = field && readDay(text.slice(field.value.start, Math.min(field.value.end, field.value.start + 40)))
    if (day !== undefined) return day
  }
  return undefined
}

/** Longer words are about more than a day. */
const DAY_UNITS_MAX = 60

/** Reads words that begin with a day of a stated year, such as `2026-03-05`, `2026-03-05T10:00` or `5 March 2026: Kick-off`. */
function readDay(words: string | undefined): string | undefined {
  if (words === undefined || words.length > DAY_UNITS_MAX || !/\d{4}/.test(words)) return undefined
  const plain = words.replace(/^\p{L}+,? +(?=\d|\p{Lu})/u, (weekday) =>
    /day\W*$/i.test(weekday.trim()) ? '' : weekday
  )
  const [first] = readTimes(plain.replace(/^(\d{4}-\d\d-\d\d)[T_ ].*$/, '$1'))
  if (first === undefined || first.start > 0 || first.precision !== 'day' || first.kind !== 'instant') return undefined
  return first.startedAt === undefined ? undefined : `${first.startedAt.slice(0, 10)}T12:00:00.000Z`
}
