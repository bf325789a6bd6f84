import type { BlockPlace, Range } from '../../../src/memory/structure/block.ts'
import { readLine, readMarker, readNextFullLine, type TextLine } from '../../../src/memory/structure/line.ts'
import { continuesProse } from '../../../src/memory/structure/read-blocks.ts'
import { readFencedCode } from '../../../src/memory/structure/read-fenced-code.ts'
import { readHeading } from '../../../src/memory/structure/read-heading.ts'
import { readTable } from '../../../src/memory/structure/read-table.ts'
import { headingStrength, STRENGTH } from './border-strength.ts'
import { letterSize } from './letter-size.ts'
import { addStretch, noStretches, STRETCH_MAX, type Stretches } from './stretches.ts'

/** Cuts a text into stretches: headings, lines and sentences; code and tables that are not too large stay whole. */
export function readStretches(text: string): Stretches {
  const stretches = noStretches()
  let before: Before = { kind: 'start', next: 0 }
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
    const reading: Reading = { text, stretches, place, before, afterBlank }
    before = takeCode(reading) ?? takeTable(reading) ?? takeHeading(reading) ?? takeLine(reading)
  }
  return stretches
}

/** What came last, and where the line after it begins. */
type Before =
  | { kind: 'start' | 'block'; next: number }
  | { kind: 'prose'; line: TextLine; next: number }
  | { kind: 'heading'; level: number; next: number }

type Reading = { text: string; stretches: Stretches; place: BlockPlace; before: Before; afterBlank: boolean }

function takeCode(reading: Reading): Before | undefined {
  const { text, place } = reading
  const { line } = place
  const sign = text[line.first]
  if (sign !== '`' && sign !== '~') return undefined
  const taken = readFencedCode(place)
  if (taken === undefined) return undefined
  const whole = { start: line.first, end: line.first + text.slice(line.first, taken.next).trimEnd().length }
  if (letterSize(text, whole) <= STRETCH_MAX)
    addStretch(text, reading.stretches, { ...whole, strength: borderBefore(reading) })
  else addCodeLines(reading, taken.next)
  return { kind: 'block', next: taken.next }
}

/** Code is cut at its empty lines, then at lines; the fences stay with what they are of. */
function addCodeLines(reading: Reading, next: number): void {
  const { text, stretches, place } = reading
  const { line } = place
  const lead = { start: line.first, end: line.end }
  addStretch(text, stretches, { ...lead, strength: borderBefore(reading) })
  let above = line
  for (const at of linesOf(text, { start: line.next, end: next })) {
    const isByFence = above === line || at.next >= next
    const strength = isByFence ? STRENGTH.STICK : at.start > above.next ? STRENGTH.SENTENCE : STRENGTH.WORD
    addStretch(text, stretches, { start: startOf(at), end: at.end, strength, lead })
    above = at
  }
}

function takeTable(reading: Reading): Before | undefined {
  const { text, stretches, place } = reading
  const { line } = place
  if (!text.slice(line.first, line.end).includes('|')) return undefined
  const taken = readTable(place)
  const second = taken?.blocks[1]
  const end = taken?.blocks.at(-1)?.end
  if (taken === undefined || second === undefined || end === undefined) return undefined
  const strength = borderBefore(reading)
  const whole = { start: line.first, end }
  if (letterSize(text, whole) <= STRETCH_MAX) addStretch(text, stretches, { ...whole, strength })
  else {
    const below = readLine(text, line.next)
    const lead = { start: line.first, end: below.first === second.start ? line.end : below.end }
    addStretch(text, stretches, { ...lead, strength })
    for (const at of linesOf(text, { start: second.start, end: taken.next })) {
      const isFirst = at.first === second.start
      addStretch(text, stretches, {
        ...{ start: at.first, end: at.end, lead },
        strength: isFirst ? STRENGTH.STICK : STRENGTH.LINE
      })
    }
  }
  return { kind: 'block', next: taken.next }
}

function takeHeading(reading: Reading): Before | undefined {
  const { text, stretches, place, before } = reading
  const taken = readHeading(place)
  const block = taken?.blocks[0]
  if (taken === undefined || block?.kind !== 'heading') return undefined
  const { start, end, level } = block
  const words = text.slice(block.content.start, block.content.end)
  const isBelow = before.kind === 'heading' && before.level < level
  // A line that only leads up to what follows is no section.
  const strength = isBelow ? STRENGTH.STICK : level === LEAD_IN ? borderBefore(reading) : headingStrength(level)
  addStretch(text, stretches, { start, end, strength, heading: level === LEAD_IN ? undefined : { level, words } })
  const rule = text.slice(end, taken.next).trim()
  if (rule !== '') addRule(reading, { end, next: taken.next })
  return { kind: 'heading', level, next: taken.next }
}

/** The line below an underlined title. */
function addRule({ text, stretches }: Reading, { end, next }: { end: number; next: number }): void {
  for (const at of linesOf(text, { start: end, end: next }))
    addStretch(text, stretches, { start: at.first, end: at.end, strength: STRENGTH.STICK })
}

/** See `HeadingBlock`. */
const LEAD_IN = 7

function takeLine(reading: Reading): Before {
  const { text, stretches, place } = reading
  const { line } = place
  addStretch(text, stretches, { start: startOf(line), end: line.end, strength: borderBefore(reading) })
  return { kind: 'prose', line, next: line.next }
}

/** How strong the border is before what is read now, if that is no heading. */
function borderBefore({ text, place, before, afterBlank }: Reading): number {
  if (before.kind === 'heading') return STRENGTH.STICK
  if (afterBlank) return STRENGTH.PARAGRAPH
  const { line } = place
  if (before.kind !== 'prose' || readMarker(text, line) !== undefined) return STRENGTH.LINE
  const { first, end } = before.line
  if (!continuesProse(text, { kind: 'prose', start: first, end }, line.first)) return STRENGTH.LINE
  return ENDS_SENTENCE.test(text.slice(Math.max(first, end - 3), end)) ? STRENGTH.SENTENCE : STRENGTH.WORD
}

const ENDS_SENTENCE = /\p{Sentence_Terminal}["'\p{Pe}\p{Pf}]{0,2}$/u

/** The lines of a range that are not blank. */
function* linesOf(text: string, { start, end }: Range): Generator<TextLine> {
  for (let at = readNextFullLine(text, start); at !== undefined && at.start < end; at = readNextFullLine(text, at.next))
    yield at
}

/** Where a line starts with the white space before it, unless that is very long. */
function startOf({ start, first }: TextLine): number {
  return first - start > INDENT_UNITS_MAX ? first : start
}

const INDENT_UNITS_MAX = 100
