/*
 * Not @lezer/markdown 1.8, which was built in as the first reader and measured: the texts are chats, mails and plain
 * text as often as Markdown, so every reader here stayed, as did the filters that turn its result back where plain text
 * is meant (`3. Mai war es kalt`, a line below a list, a chat line above `---`, indented paragraphs). Its time is quadratic
 * in nested markers: 45 kB of `1. 1. 1. …` take 0.7 s, here 1 ms. Storing a text took 1.03 of the processor time, a 6 kB
 * Markdown file 1.04. No golden sentence changed. Where it was right and the readers wrong on 220 README files (comments,
 * link definitions, tags, prose that ends in links), the readers were corrected.
 */

import type { Block, BlockPlace, BlockReader, ProseBlock, ReadBlocks } from './block.ts'
import { readFencedCode, readMarkup, readProgram, readUnreadable } from './read-fenced-code.ts'
import { readFields } from './read-fields.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { readHeading } from './read-heading.ts'
import { readList } from './read-list.ts'
import { findMailWriter, readMailHeader } from './read-mail-header.ts'
import { readTable } from './read-table.ts'
import { isBlank, readLine, readNextFullLine, type TextLine } from './text-line.ts'

/**
 * Splits a text into ordered blocks without overlap. Each reader in turn is offered the current line, and lines that no
 * reader takes are prose. Time is linear in the length of the text. Never throws.
 */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let tables = 0
  let end = 0
  let isFresh = true
  for (
    let line = readNextFullLine(text, 0);
    line !== undefined && blocks.length < BLOCKS_MAX;
    line = readNextFullLine(text, end)
  ) {
    const afterHeading = blocks.at(-1)?.kind === 'heading'
    const taken = takeFrom({
      text,
      line,
      isFirst: end === 0,
      afterBlank: isFresh || line.start > end,
      tables,
      afterHeading
    })
    if (taken.blocks[0]?.kind === 'row') tables++
    for (const block of taken.blocks) add(text, blocks, block)
    isFresh = taken.blocks.at(-1)?.kind !== 'prose'
    end = taken.next
  }
  return assignWriter(text, blocks)
}

/** Reads the quoted letter after `-----Original Message-----` or a forwarding mark, to the end of the text. */
const readAppendedMail: BlockReader = ({ text, line }) => {
  if (line.end - line.first > MARK_UNITS_MAX || !MAIL_MARK.test(text.slice(line.first, line.end))) return undefined
  let end = text.length
  while (end > line.end && /\s/.test(text.charAt(end - 1))) end--
  return { blocks: [{ kind: 'quote', start: line.first, end }], next: text.length }
}

/** Reads lines that begin with `>`, with the line above that names their author. */
const readQuote: BlockReader = ({ text, line }) => {
  if (text[line.first] !== '>') return readAttribution(text, line)
  return {
    blocks: [{ kind: 'quote', start: line.first, end: findQuotedEnd(text, line).end }],
    next: findQuotedEnd(text, line).next
  }
}

/**
 * Reads a chat log as chat programs export it: lines with a time and a name, `[10:32] Ann: hi`, `10:32 - Ann: hi`,
 * `03/05/2022, 10:32 - Ann: hi`. Requires at least two such lines; lines between them continue a turn.
 */
const readTalk: BlockReader = ({ text, line }) => {
  if (!/[\d[(]/.test(text.charAt(line.first))) return undefined
  const turns: ProseBlock[] = []
  let next = line.next
  for (let at: TextLine | undefined = line; at !== undefined && turns.length < TURNS_MAX; at = lineAfter(text, at)) {
    const turn = readTurn(text, at)
    const last = turns.at(-1)
    if (turn !== undefined) turns.push(turn)
    else if (last !== undefined && !isBlank(at)) last.end = at.end
    else break
    next = at.next
    if (turns.length === 1 && at.start - line.start > FIRST_TURN_UNITS_MAX) return undefined
  }
  return turns.length < 2 ? undefined : { blocks: turns, next }
}

/** In order of precedence. */
const READERS: readonly BlockReader[] = [
  readFrontMatter,
  readMailHeader,
  readFencedCode,
  readMarkup,
  readUnreadable,
  readAppendedMail,
  readQuote,
  readRule,
  readTalk,
  readTable,
  readHeading,
  readList,
  readProgram,
  readFields
]

/**
 * Maximum number of blocks that are extracted from. The text after them is stored and searchable, but gives no entries.
 */
export const BLOCKS_MAX = 20_000

function takeFrom(place: BlockPlace): ReadBlocks {
  for (const reader of READERS) {
    const taken = reader(place)
    if (taken !== undefined) return taken
  }
  const { line } = place
  return { blocks: [{ kind: 'prose', start: line.first, end: line.end }], next: line.next }
}

/** Makes the writer of a mail the speaker of its prose. */
function assignWriter(text: string, blocks: Block[]): Block[] {
  const speaker = findMailWriter(text, blocks)
  if (speaker === undefined) return blocks
  return blocks.map((block) => (block.kind === 'prose' || block.kind === 'item' ? { speaker, ...block } : block))
}

/** Skips `***`, `- - -`, `=====` between paragraphs. */
function readRule({ line, text }: BlockPlace): ReadBlocks | undefined {
  const sign = text[line.first]
  if (sign === undefined || !'-*_=~#+'.includes(sign) || line.end - line.first < 3) return undefined
  for (let at = line.first; at < line.end; at++) if (text[at] !== sign && text[at] !== ' ') return undefined
  return { blocks: [], next: line.next }
}

/** Adds a block, or extends the previous one if it continues its prose. */
function add(text: string, blocks: Block[], block: Block): void {
  const above = blocks.at(-1)
  if (block.kind === 'prose' && above?.kind === 'prose' && continues(text, above, block)) above.end = block.end
  else blocks.push(block)
}

function continues(text: string, above: ProseBlock, block: ProseBlock): boolean {
  if (block.speaker !== undefined) return false
  const feed = text.indexOf('\n', above.end)
  const second = feed < 0 ? -1 : text.indexOf('\n', feed + 1)
  return (second < 0 || second >= block.start) && continuesProse(text, above, block.start)
}

/** Maximum number of turns that are read at once. */
const TURNS_MAX = 1_000

/** The second turn must begin within this distance for the lines to be a log. */
const FIRST_TURN_UNITS_MAX = 1_000
const HEAD_UNITS_MAX = 90

const TIME = String.raw`\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?`
const DATE = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
const TURN_HEAD = new RegExp(
  String.raw`^[[(]?(?:${DATE},? )?${TIME}(?:,? ${DATE})?[\])]?(?: [-–])? <?(\p{L}[\p{L}\p{N}_. ’'-]{0,38}?)(?:>|:) `,
  'iu'
)

/** Reads one line of a log: the text after the name, with the name as the speaker. */
function readTurn(text: string, { first, end }: TextLine): ProseBlock | undefined {
  const head = TURN_HEAD.exec(text.slice(first, Math.min(end, first + HEAD_UNITS_MAX)))
  if (head === null) return undefined
  let start = first + head[0].length
  while (start < end && text[start] === ' ') start++
  return start < end ? { kind: 'prose', start, end, speaker: head[1] ?? '' } : undefined
}

function lineAfter(text: string, { next }: TextLine): TextLine | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  const second = line.next < text.length ? readLine(text, line.next) : line
  return readTurn(text, second) === undefined ? undefined : second
}

const MARK_UNITS_MAX = 80
const ATTRIBUTION_UNITS_MAX = 200

const MAIL_MARK =
  /^[-_]{2,} ?(original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|пересылаемое сообщение)\b|^begin forwarded message:/i

const WROTE =
  /\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|kirjoitti|napisał\(a\)|написал\(?а?\)?) ?:$|写道[:：]$/i
const ATTRIBUTION_START = /^(?:on|am|le|el|em|il|op|den|w dniu) .|^\p{L}[\p{L} .]+<\S+@|^\d{4}/iu

/**
 * Reads `On Tue, 3 May 2022 at 09:12, Ann <ann@acme.test> wrote:` above lines with `>`, also when wrapped onto two
 * lines.
 */
function readAttribution(text: string, line: TextLine): ReturnType<BlockReader> {
  if (line.end - line.first > ATTRIBUTION_UNITS_MAX || !ATTRIBUTION_START.test(text.slice(line.first, line.end)))
    return undefined
  const last = WROTE.test(text.slice(line.first, line.end)) ? line : readSecondLine(text, line)
  if (last === undefined) return undefined
  const below = readFullLineAfter(text, last)
  const quoted = below !== undefined && text[below.first] === '>' ? findQuotedEnd(text, below) : last
  return { blocks: [{ kind: 'quote', start: line.first, end: quoted.end }], next: quoted.next }
}

function readSecondLine(text: string, line: TextLine): TextLine | undefined {
  if (line.next >= text.length) return undefined
  const second = readLine(text, line.next)
  if (second.end - second.first > ATTRIBUTION_UNITS_MAX) return undefined
  return WROTE.test(text.slice(second.first, second.end)) ? second : undefined
}

/** Returns the next line, or the one after a single blank line. */
function readFullLineAfter(text: string, { next }: TextLine): TextLine | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  return line.next < text.length ? readLine(text, line.next) : undefined
}

function findQuotedEnd(text: string, line: TextLine): TextLine {
  let last = line
  while (last.next < text.length) {
    const next = readLine(text, last.next)
    if (text[next.first] !== '>' || isBlank(next)) break
    last = next
  }
  return last
}

/**
 * Checks whether a line continues the prose directly above it: it does in a paragraph wrapped at the margin, but not
 * after a short or finished line.
 */
export function continuesProse(text: string, above: ProseBlock, start: number): boolean {
  if (above.speaker !== undefined) return false
  const from = Math.max(above.start, text.lastIndexOf('\n', above.end - 1) + 1)
  const size = above.end - from
  if (!OPENS_LINE.test(text.slice(start, start + 2))) return true
  if (ENDS_SENTENCE.test(text.slice(Math.max(from, above.end - 2), above.end))) return size > MARGIN_UNITS
  return size > MARGIN_UNITS || ENDS_OPEN.test(text.slice(Math.max(from, above.end - 12), above.end))
}

/** Minimum length of lines that were wrapped at a margin. */
const MARGIN_UNITS = 48

const OPENS_LINE = /^["'“„«‘(¿¡*_-]?[\p{Lu}\p{N}\p{Lo}\p{Extended_Pictographic}]/u
const ENDS_SENTENCE = /[.!?…。！？]["'”’)]?$/

/** A comma, or a word that cannot end a sentence. */
const ENDS_OPEN =
  /[,–—-]$|(?:^|[\s(])(?:a|an|the|of|in|on|at|by|for|to|with|from|and|or|my|our|your|his|her|their|is|are|was)$/i
