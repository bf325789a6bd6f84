import type { BlockPlace, BlockReader, HeadingBlock, ReadBlocks } from './block.ts'
import { readFieldLine } from './field-line.ts'
import { SENTENCE_WORDS } from './read-fields.ts'
import { isBlank, readLine, readMarker, readNextFullLine, type TextLine } from './text-line.ts'

/** Reads `# Title`, an underlined title, `[section]`, `**Title**`, a lead-in (`Shopping list:`) and a short title line. */
export const readHeading: BlockReader = (place) => {
  const { text, line } = place
  const size = line.end - line.first
  if (size > HEADING_UNITS_MAX) return undefined
  return (
    readHashedHeading(text, line) ??
    readUnderlinedHeading(place) ??
    readSectionHeading(text, line) ??
    readLeadIn(place) ??
    readTitleLine(place)
  )
}

const HEADING_UNITS_MAX = 200
const LEAD_UNITS_MAX = 80
const LEAD_WORDS_MAX = 10
const TITLE_UNITS_MAX = 60
const TITLE_WORDS_MAX = 8
const LEAD_LEVEL = 7

/** `## Packing list ##` */
function readHashedHeading(text: string, line: TextLine): ReadBlocks | undefined {
  const match = /^(#{1,6})[ \t]+(?=[^\s#])/.exec(text.slice(line.first, line.first + 16))
  if (match === null || line.indent > 3) return undefined
  let end = line.end
  while (end > line.first && text[end - 1] === '#') end--
  if (end < line.end && text[end - 1] !== ' ') end = line.end
  const content = trimRange(text, line.first + match[0].length, end)
  return takeHeading(line, (match[1] ?? '').length, content)
}

/** A short line above `=====` or `-----`. */
function readUnderlinedHeading({ text, line, afterBlank }: BlockPlace): ReadBlocks | undefined {
  if (!afterBlank || line.next >= text.length || !hasLetter(text, line)) return undefined
  const rule = readLine(text, line.next)
  const sign = text[rule.first]
  if ((sign !== '=' && sign !== '-') || rule.end - rule.first < 3 || rule.end - rule.first > HEADING_UNITS_MAX)
    return undefined
  for (let at = rule.first; at < rule.end; at++) if (text[at] !== sign) return undefined
  const { blocks } = takeHeading(line, sign === '=' ? 1 : 2, { start: line.first, end: line.end })
  return { blocks, next: rule.next }
}

/** `[server]` above `port = 80` */
function readSectionHeading(text: string, line: TextLine): ReadBlocks | undefined {
  if (text[line.first] !== '[' || text[line.end - 1] !== ']' || line.next >= text.length) return undefined
  const below = readLine(text, line.next)
  if (readFieldLine(text, { start: below.first, end: below.end })?.sign !== '=') return undefined
  return takeHeading(line, 2, { start: line.first + 1, end: line.end - 1 })
}

/** `Shopping list:` above a list, or `To reset the router:` above the instructions. */
function readLeadIn({ text, line }: BlockPlace): ReadBlocks | undefined {
  const content = trimMarks(text, line)
  const colon = COLONS.has(text.charAt(content.end - 1)) ? content.end - 1 : content.end
  if (!COLONS.has(text.charAt(colon)) || line.end - line.first > LEAD_UNITS_MAX) return undefined
  const words = text.slice(content.start, colon).toLowerCase().split(' ')
  const below = readNextFullLine(text, line.next)
  if (words.length > LEAD_WORDS_MAX || below === undefined || !/\p{L}/u.test(words.join())) return undefined
  const isSentence = words.some((word) => SENTENCE_WORDS.has(word)) && words[0] !== 'how'
  if (isSentence && readMarker(text, below) === undefined) return undefined
  return takeHeading(line, LEAD_LEVEL, { start: content.start, end: colon })
}

const COLONS: ReadonlySet<string> = new Set([':', '：'])

/** `Opening Hours` alone between blank lines, or directly above a list. */
function readTitleLine({ text, line, afterBlank, afterHeading, isFirst }: BlockPlace): ReadBlocks | undefined {
  if (!afterBlank || afterHeading || line.end - line.first > TITLE_UNITS_MAX || line.next >= text.length)
    return undefined
  if (readMarker(text, line) !== undefined || readFieldLine(text, { start: line.first, end: line.end }) !== undefined)
    return undefined
  const content = trimMarks(text, line)
  const isBold = content.start > line.first
  const below = readLine(text, line.next)
  const after = isBlank(below) ? readNextFullLine(text, below.next) : below
  if (after === undefined || (!isBlank(below) && readMarker(text, below) === undefined)) return undefined
  const words = text.slice(content.start, content.end).split(' ')
  if (words.length > TITLE_WORDS_MAX) return undefined
  const isNamed = isBold || isTitle(words) || announcesSteps(text, line, below)
  return isNamed || (isFirst && opensDocument(text, words, after)) ? takeHeading(line, 6, content) : undefined
}

/** `Rye bread` at the top, with something other than prose below a blank line. */
function opensDocument(text: string, words: readonly string[], below: TextLine): boolean {
  if (words.length > OPENING_WORDS_MAX || /[.!?,;:…。！？)]$/.test(words.at(-1) ?? '')) return false
  const lower = words.map((word) => word.toLowerCase())
  if (NO_TITLE_WORDS.has(lower[0] ?? '') || lower.some((word) => SENTENCE_WORDS.has(word))) return false
  const isLead = COLONS.has(text.charAt(below.end - 1)) && below.end - below.first <= LEAD_UNITS_MAX
  return isLead || readMarker(text, below) !== undefined || /^[#|]/.test(text.slice(below.first, below.first + 1))
}

const OPENING_WORDS_MAX = 5

/** `How to bleed a radiator` directly above a list. */
function announcesSteps(text: string, line: TextLine, below: TextLine): boolean {
  return (
    readMarker(text, below) !== undefined &&
    /^(?:how to|steps|to) \S+ \S|^steps$/i.test(text.slice(line.first, line.end))
  )
}

/**
 * Checks that every significant word has a capital, that none is a greeting or pronoun, and that no sentence ends here.
 */
function isTitle(words: readonly string[]): boolean {
  if (/[.!?,;:…。！？]$/.test(words.at(-1) ?? '') || NO_TITLE_WORDS.has((words[0] ?? '').toLowerCase())) return false
  if (words.some((word) => /^(I|I'm|I've|you|we|my|your|is|are|was)$/i.test(word))) return false
  return words.every((word) => /^[^\p{L}]*[\p{Lu}\p{N}]/u.test(word) || SMALL_TITLE_WORDS.has(word))
}

/** Removes the `**` of a line that is entirely bold. */
function trimMarks(text: string, line: TextLine): { start: number; end: number } {
  const isBold = /^(\*\*|__)/.test(text.slice(line.first, line.first + 2))
  const closing = text.slice(line.end - 3, line.end)
  if (!isBold || line.end - line.first < 6) return { start: line.first, end: line.end }
  if (/(\*\*|__)$/.test(closing)) return { start: line.first + 2, end: line.end - 2 }
  return /(\*\*|__):$/.test(closing)
    ? { start: line.first + 2, end: line.end - 3 }
    : { start: line.first, end: line.end }
}

function takeHeading(line: TextLine, level: number, content: { start: number; end: number }): ReadBlocks {
  const block: HeadingBlock = { kind: 'heading', start: line.first, end: line.end, level, content }
  return { blocks: [block], next: line.next }
}

function trimRange(text: string, start: number, end: number): { start: number; end: number } {
  let last = end
  while (last > start && text[last - 1] === ' ') last--
  return { start, end: last }
}

function hasLetter(text: string, { first, end }: { first: number; end: number }): boolean {
  return /\p{L}/u.test(text.slice(first, Math.min(end, first + HEADING_UNITS_MAX)))
}

/** First words of greetings and farewells, which are not titles. */
const NO_TITLE_WORDS: ReadonlySet<string> = new Set(
  [
    'hi|hello|hey|dear|good|greetings|thanks|thank|cheers|regards|best|kind|warm|love|sincerely|yours|congratulations|congrats',
    'happy|merry|welcome|sorry|ok|okay|yes|no|wow|bye|goodbye|hallo|liebe|lieber|viele|bonjour|hola|ciao|merci|gracias|re|fwd'
  ].flatMap((line) => line.split('|'))
)

/** Words that stay in lower case in a title. */
const SMALL_TITLE_WORDS: ReadonlySet<string> = new Set(
  [
    'a|an|the|of|for|to|in|on|at|by|with|and|or|from|vs|via|per|as|&|-|–|—|/|+',
    'der|die|das|und|für|von|im|am|zur|zum|de|la|le|les|du|des|et|el|los|las|y|del|en|di|e|il|da|do|van|het|een'
  ].flatMap((line) => line.split('|'))
)
