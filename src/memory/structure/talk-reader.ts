import type { ProseBlock } from './block.ts'
import { isBlank, type Line, readLine } from './line.ts'
import type { BlockReader } from './reader.ts'

/**
 * Reads the log of a talk, as chat programs write it out: lines with a time and a name, `[10:32] Ann: hi`, `10:32 - Ann: hi`,
 * `03/05/2022, 10:32 - Ann: hi`. Two such lines at least; lines between them go on with what was said.
 */
export const readTalk: BlockReader = ({ text, line }) => {
  if (!/[\d[(]/.test(text.charAt(line.first))) return undefined
  const turns: ProseBlock[] = []
  let next = line.next
  for (let at: Line | undefined = line; at !== undefined && turns.length < TURNS_MAX; at = lineAfter(text, at)) {
    const turn = turnOf(text, at)
    const last = turns.at(-1)
    if (turn !== undefined) turns.push(turn)
    else if (last !== undefined && !isBlank(at)) last.end = at.end
    else break
    next = at.next
    if (turns.length === 1 && at.start - line.start > FIRST_TURN_UNITS_MAX) return undefined
  }
  return turns.length < 2 ? undefined : { blocks: turns, next }
}

/** So many turns are read at a time. */
const TURNS_MAX = 1_000

/** The second turn begins within this, or the line is no log. */
const FIRST_TURN_UNITS_MAX = 1_000
const HEAD_UNITS_MAX = 90

const TIME = String.raw`\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?`
const DATE = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
const TURN_HEAD = new RegExp(
  String.raw`^[[(]?(?:${DATE},? )?${TIME}(?:,? ${DATE})?[\])]?(?: [-–])? <?(\p{L}[\p{L}\p{N}_. ’'-]{0,38}?)(?:>|:) `,
  'iu'
)

/** One line of the log, from the words on; the name before them is the speaker. */
function turnOf(text: string, { first, end }: Line): ProseBlock | undefined {
  const head = TURN_HEAD.exec(text.slice(first, Math.min(end, first + HEAD_UNITS_MAX)))
  if (head === null) return undefined
  let start = first + head[0].length
  while (start < end && text[start] === ' ') start++
  return start < end ? { kind: 'prose', start, end, speaker: head[1] ?? '' } : undefined
}

function lineAfter(text: string, { next }: Line): Line | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  const second = line.next < text.length ? readLine(text, line.next) : line
  return turnOf(text, second) === undefined ? undefined : second
}
