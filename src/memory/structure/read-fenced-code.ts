import type { BlockReader, Range, ReadBlocks } from './block.ts'
import { isBlank, isSpace, readLine, type TextLine } from './text-line.ts'

/** Reads a block between ``` or ~~~, up to the end of the text if the closing fence is missing. */
export const readFencedCode: BlockReader = ({ text, line }) => {
  const fence = /^(`{3,}|~{3,})/.exec(text.slice(line.first, Math.min(line.end, line.first + FENCE_UNITS_MAX)))?.[1]
  if (fence === undefined || text.slice(line.first + fence.length, line.end).includes('`')) return undefined
  let last = line
  while (last.next < text.length) {
    last = readLine(text, last.next)
    if (text.startsWith(fence, last.first) && last.end - last.first <= fence.length + 1) break
  }
  return { blocks: [{ kind: 'code', start: line.first, end: Math.max(last.end, line.end) }], next: last.next }
}

/**
 * Reads markup without natural language: an HTML comment, a line of HTML tags, or the definition of a link, such as
 * `[map]: https://acme.test`.
 */
export const readMarkup: BlockReader = ({ text, line }) => {
  const sign = text[line.first]
  if (sign !== '<' && sign !== '[') return undefined
  if (text.startsWith('<!--', line.first)) return readComment(text, line)
  const words = text.slice(line.first, Math.min(line.end, line.first + MARKUP_UNITS_MAX + 1))
  if (words.length > MARKUP_UNITS_MAX || !(TAGS.test(words) || LINK_DEFINITION.test(words))) return undefined
  return { blocks: [{ kind: 'code', start: line.first, end: line.end }], next: line.next }
}

/** Reads consecutive lines of base64, minified code and similar content. */
export const readUnreadable: BlockReader = ({ text, line }) => {
  if (!isUnreadable(text, { start: line.first, end: line.end })) return undefined
  let last = line
  while (last.next < text.length) {
    const next = readLine(text, last.next)
    if (!isUnreadable(text, { start: next.first, end: next.end })) break
    last = next
  }
  return { blocks: [{ kind: 'code', start: line.first, end: last.end }], next: last.next }
}

/**
 * Reads a paragraph whose lines look like source code, and encoded lines of equal length, as in mail. A fence ends the
 * paragraph: what follows it is code in any case.
 */
export const readProgram: BlockReader = ({ text, line, afterBlank }) => {
  if (!afterBlank) return undefined
  const lines: TextLine[] = []
  for (let at: TextLine = line; !isBlank(at) && !isFence(text, at); at = readLine(text, at.next)) {
    lines.push(at)
    if (at.next >= text.length || lines.length >= LINES_MAX) break
  }
  const last = lines.at(-1)
  if (last === undefined || !(isProgram(text, lines.map(toRange)) || isEncoded(text, lines))) return undefined
  return { blocks: [{ kind: 'code', start: line.first, end: last.end }], next: last.next }
}

function isFence(text: string, { first }: TextLine): boolean {
  return text.startsWith('```', first) || text.startsWith('~~~', first)
}

const FENCE_UNITS_MAX = 80
const MARKUP_UNITS_MAX = 400

/** A longer comment is read to the end of its first line. */
const COMMENT_UNITS_MAX = 5_000

const TAGS = /^(?:<\/?[a-z][\w-]*(?:\s[^<>]*)?>\s*)+$/i
const LINK_DEFINITION = /^\[[^[\]^][^[\]]{0,100}\]:\s+<?(?:https?:|mailto:|www\.|[./#])\S*(?:\s+["'(].*)?$/i

/** Reads a comment with the rest of the line that ends it. */
function readComment(text: string, line: TextLine): ReadBlocks {
  const length = text.slice(line.first, line.first + COMMENT_UNITS_MAX).indexOf('-->')
  let last = line
  while (line.first + length > last.end && last.next < text.length) last = readLine(text, last.next)
  return { blocks: [{ kind: 'code', start: line.first, end: last.end }], next: last.next }
}

/** Longer paragraphs are judged and read in parts. */
const LINES_MAX = 500

/** Recognises two or more lines without spaces, all but the last of one length over 40. */
function isEncoded(text: string, lines: readonly TextLine[]): boolean {
  const [first] = lines
  if (first === undefined || lines.length < 2) return false
  const size = first.end - first.first
  if (size < 40 || size > 200) return false
  return lines.every(({ first: start, end }, n) => {
    const isFull = n === lines.length - 1 ? end - start <= size : end - start === size
    return isFull && /^[\w+/=-]+$/.test(text.slice(start, end))
  })
}

function toRange({ first, end }: TextLine): Range {
  return { start: first, end }
}

/**
 * Recognises a long line that is not natural language: base64, minified code, one endless token. Only ASCII counts, so
 * that scripts without spaces are not taken for code. Short lines are never judged this way.
 */
function isUnreadable(text: string, { start, end }: Range): boolean {
  const size = end - start
  if (isJson(text, { start, end })) return true
  if (size < LONG_UNITS) return false
  const { spaces, signs, inTokens, ascii } = countCharacters(text, { start, end })
  if (inTokens > size / 2) return true
  if (ascii < size * ASCII_SHARE) return false
  return spaces < size * FEW_SPACES || (spaces < size * SOME_SPACES && signs > size * MANY_SIGNS)
}

/** Checks whether most of several lines begin or end like program statements. */
function isProgram(text: string, lines: readonly Range[]): boolean {
  if (lines.length < 2) return false
  const statements = lines.filter((line) => isStatement(text, line)).length
  return statements >= 2 && statements > lines.length * STATEMENTS_SHARE
}

/** Recognises `{"port": 80}` on one line of any length. */
function isJson(text: string, { start, end }: Range): boolean {
  const opening = text[start]
  const isClosed = opening === '{' ? text[end - 1] === '}' : opening === '[' && text[end - 1] === ']'
  return isClosed && /^(?:\{\s*"[^"]{0,60}"\s*:|\[\s*[[{"])/.test(text.slice(start, Math.min(end, start + 80)))
}

const LONG_UNITS = 200

/** Maximum length of a word; a web address may be longer. */
const TOKEN_UNITS = 160
const ASCII_SHARE = 0.8

/** English has 17 % spaces, Finnish 11 %, minified code 2 to 8 %. */
const FEW_SPACES = 0.03
const SOME_SPACES = 0.1
const MANY_SIGNS = 0.12
const STATEMENTS_SHARE = 0.5

type Counts = { spaces: number; signs: number; inTokens: number; ascii: number }

function countCharacters(text: string, { start, end }: Range): Counts {
  const counts: Counts = { spaces: 0, signs: 0, inTokens: 0, ascii: 0 }
  let token = start
  for (let at = start; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : 0x20
    const isBreak = isSpace(code) || code > 0x7e
    if (isBreak) {
      if (at - token > TOKEN_UNITS) counts.inTokens += at - token
      token = at + 1
    }
    if (code <= 0x7e) counts.ascii++
    if (isSpace(code)) counts.spaces++
    else if (SIGNS.has(code)) counts.signs++
  }
  return counts
}

const SIGNS: ReadonlySet<number> = new Set([...'{}()[]<>;=+*/\\|&!:"$%^~`@#_'].map((sign) => sign.charCodeAt(0)))

/** `return total;`, `if (ready) {`, `const n = 3`, `<li>`, `"port": 80,`, `$ npm test` */
function isStatement(text: string, { start, end }: Range): boolean {
  const tail = text.slice(Math.max(start, end - 3), end)
  const endsLikeCode = /[;{}]$|\)\s*:$|[\])],?$|=>$|["\d],$/.test(tail) && !/[.?!]\)$/.test(tail)
  if (endsLikeCode && !REMARK_END.test(text.slice(Math.max(start, end - REMARK_UNITS_MAX), end))) return true
  return STATEMENT_START.test(text.slice(start, Math.min(end, start + 24)))
}

const REMARK_UNITS_MAX = 400

/** The end of a line of prose: a link (`[map](https://acme.test)`, `[map][1]`, `[[Map]]`) or words in parentheses. */
const REMARK_END = /\]\([^()\s]*(?:\([^()\s]*\))?[^()\s]*\)$|\]\[[^[\]]*\]$|\]\]$|\p{L} \(\p{L}[^()=;{}]*\)$/u

const STATEMENT_START =
  /^(?:import |from \w+ import|export |const |let |var |def |class \w+[:({]|function |return\b|public |private |static |#include|package |@\w+\(?|<\/?[a-z!][\w-]*[ >/]|\$ |>>> |\/\/ |\/\*|SELECT |INSERT )/
