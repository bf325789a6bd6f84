import type { BlockPlace, Range } from '../../memory/structure/block.ts'
import { continuesProse } from '../../memory/structure/read-blocks.ts'
import { readFencedCode } from '../../memory/structure/read-fenced-code.ts'
import { readHeading } from '../../memory/structure/read-heading.ts'
import { readTable } from '../../memory/structure/read-table.ts'
import { readLine, readMarker, readNextFullLine, type TextLine } from '../../memory/structure/text-line.ts'
import { addFragment, createFragments, FRAGMENT_MAX, type Fragments, STRENGTH, toHeadingStrength } from './fragments.ts'
import { measureLetters } from './measure-letters.ts'

/** Splits a text into fragments: headings, lines and sentences; code and tables that are not too large stay whole. */
export function readFragments(text: string): Fragments {
  const fragments = createFragments()
  let before: PreviousBlock = { kind: 'start', next: 0 }
  for (let line = readNextFullLine(text, 0); line !== undefined; line = readNextFullLine(text, before.next)) {
    const afterBlank = line.start > before.next
    const place: BlockPlace = {
      text,
      line,
      isFirst: before.kind === 'start',
      afterBlank: afterBlank || before.kind !== 'prose',
      tables: 0,
      afterHeading: before.kind === 'heading'
    }
    const reading: FragmentContext = { text, fragments, place, before, afterBlank }
    before = takeCode(reading) ?? takeTable(reading) ?? takeHeading(reading) ?? takeLine(reading)
  }
  return fragments
}

/** The block that was read last, and where the line after it begins. */
type PreviousBlock =
  | { kind: 'start' | 'block'; next: number }
  | { kind: 'prose'; line: TextLine; next: number }
  | { kind: 'heading'; level: number; next: number }

type FragmentContext = {
  text: string
  fragments: Fragments
  place: BlockPlace
  before: PreviousBlock
  afterBlank: boolean
}

function takeCode(reading: FragmentContext): PreviousBlock | undefined {
  const { text, place } = reading
  const { line } = place
  const sign = text[line.first]
  if (sign !== '`' && sign !== '~') return undefined
  const taken = readFencedCode(place)
  if (taken === undefined) return undefined
  const whole = { start: line.first, end: line.first + text.slice(line.first, taken.next).trimEnd().length }
  if (measureLetters(text, whole) <= FRAGMENT_MAX)
    addFragment(text, reading.fragments, { ...whole, strength: chooseBorder(reading) })
  else addCodeLines(reading, taken.next)
  return { kind: 'block', next: taken.next }
}

/** Splits code at its empty lines, then at lines. The fences stay with the lines beside them. */
function addCodeLines(reading: FragmentContext, next: number): void {
  const { text, fragments, place } = reading
  const { line } = place
  const lead = { start: line.first, end: line.end }
  addFragment(text, fragments, { ...lead, strength: chooseBorder(reading) })
  let above = line
  for (const at of listFullLines(text, { start: line.next, end: next })) {
    const isByFence = above === line || at.next >= next
    const strength = isByFence ? STRENGTH.STICK : at.start > above.next ? STRENGTH.SENTENCE : STRENGTH.WORD
    addFragment(text, fragments, { start: includeIndent(at), end: at.end, strength, lead })
    above = at
  }
}

function takeTable(reading: FragmentContext): PreviousBlock | undefined {
  const { text, fragments, place } = reading
  const { line } = place
  if (!text.slice(line.first, line.end).includes('|')) return undefined
  const taken = readTable(place)
  const second = taken?.blocks[1]
  const end = taken?.blocks.at(-1)?.end
  if (taken === undefined || second === undefined || end === undefined) return undefined
  const strength = chooseBorder(reading)
  const whole = { start: line.first, end }
  if (measureLetters(text, whole) <= FRAGMENT_MAX) addFragment(text, fragments, { ...whole, strength })
  else {
    const below = readLine(text, line.next)
    const lead = { start: line.first, end: below.first === second.start ? line.end : below.end }
    addFragment(text, fragments, { ...lead, strength })
    for (const at of listFullLines(text, { start: second.start, end: taken.next })) {
      const isFirst = at.first === second.start
      addFragment(text, fragments, {
        start: at.first,
        end: at.end,
        lead,
        strength: isFirst ? STRENGTH.STICK : STRENGTH.LINE
      })
    }
  }
  return { kind: 'block', next: taken.next }
}

function takeHeading(reading: FragmentContext): PreviousBlock | undefined {
  const { text, fragments, place, before } = reading
  const taken = readHeading(place)
  const block = taken?.blocks[0]
  if (taken === undefined || block?.kind !== 'heading') return undefined
  const { start, end, level } = block
  const words = text.slice(block.content.start, block.content.end)
  const isBelow = before.kind === 'heading' && before.level < level
  // A line that only introduces the next block does not begin a section.
  const strength = isBelow ? STRENGTH.STICK : level === LEAD_IN ? chooseBorder(reading) : toHeadingStrength(level)
  addFragment(text, fragments, { start, end, strength, heading: level === LEAD_IN ? undefined : { level, words } })
  const rule = text.slice(end, taken.next).trim()
  if (rule !== '') addRule(reading, { end, next: taken.next })
  return { kind: 'heading', level, next: taken.next }
}

/** The line below an underlined title. */
function addRule({ text, fragments }: FragmentContext, { end, next }: { end: number; next: number }): void {
  for (const at of listFullLines(text, { start: end, end: next }))
    addFragment(text, fragments, { start: at.first, end: at.end, strength: STRENGTH.STICK })
}

/** See `HeadingBlock`. */
const LEAD_IN = 7

function takeLine(reading: FragmentContext): PreviousBlock {
  const { text, fragments, place } = reading
  const { line } = place
  addFragment(text, fragments, { start: includeIndent(line), end: line.end, strength: chooseBorder(reading) })
  return { kind: 'prose', line, next: line.next }
}

/** Returns the strength of the border before the current line, which is not a heading. */
function chooseBorder({ text, place, before, afterBlank }: FragmentContext): number {
  if (before.kind === 'heading') return STRENGTH.STICK
  if (afterBlank) return STRENGTH.PARAGRAPH
  const { line } = place
  if (before.kind !== 'prose' || readMarker(text, line) !== undefined) return STRENGTH.LINE
  const { first, end } = before.line
  if (!continuesProse(text, { kind: 'prose', start: first, end }, line.first)) return STRENGTH.LINE
  return ENDS_SENTENCE.test(text.slice(Math.max(first, end - 3), end)) ? STRENGTH.SENTENCE : STRENGTH.WORD
}

const ENDS_SENTENCE = /\p{Sentence_Terminal}["'\p{Pe}\p{Pf}]{0,2}$/u

/** Lists the lines of a range that are not blank. */
function* listFullLines(text: string, { start, end }: Range): Generator<TextLine> {
  for (let at = readNextFullLine(text, start); at !== undefined && at.start < end; at = readNextFullLine(text, at.next))
    yield at
}

/** Returns the start of a line with its indent, unless that is very long. */
function includeIndent({ start, first }: TextLine): number {
  return first - start > INDENT_UNITS_MAX ? first : start
}

const INDENT_UNITS_MAX = 100
