import { isBlank, type Line, readLine } from './line.ts'
import type { BlockReader } from './reader.ts'

/** Reads lines that begin with `>`, with the line above that says who wrote them. */
export const readQuote: BlockReader = ({ text, line }) => {
  if (text[line.first] !== '>') return readAttribution(text, line)
  return {
    blocks: [{ kind: 'quote', start: line.first, end: quotedEnd(text, line).end }],
    next: quotedEnd(text, line).next
  }
}

/** Reads what follows `-----Original Message-----` or a forwarding mark, to the end: another one's letter. */
export const readAppendedMail: BlockReader = ({ text, line }) => {
  if (line.end - line.first > MARK_UNITS_MAX || !MAIL_MARK.test(text.slice(line.first, line.end))) return undefined
  let end = text.length
  while (end > line.end && /\s/.test(text.charAt(end - 1))) end--
  return { blocks: [{ kind: 'quote', start: line.first, end }], next: text.length }
}

const MARK_UNITS_MAX = 80
const ATTRIBUTION_UNITS_MAX = 200

const MAIL_MARK =
  /^[-_]{2,} ?(original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|пересылаемое сообщение)\b|^begin forwarded message:/i

const WROTE =
  /\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|kirjoitti|napisał\(a\)|написал\(?а?\)?) ?:$|写道[:：]$/i
const ATTRIBUTION_START = /^(?:on|am|le|el|em|il|op|den|w dniu) .|^\p{L}[\p{L} .]+<\S+@|^\d{4}/iu

/** `On Tue, 3 May 2022 at 09:12, Ann <ann@acme.test> wrote:` above lines with `>`, or broken into two lines. */
function readAttribution(text: string, line: Line): ReturnType<BlockReader> {
  if (line.end - line.first > ATTRIBUTION_UNITS_MAX || !ATTRIBUTION_START.test(text.slice(line.first, line.end)))
    return undefined
  const last = WROTE.test(text.slice(line.first, line.end)) ? line : secondLine(text, line)
  if (last === undefined) return undefined
  const below = fullLineAfter(text, last)
  const quoted = below !== undefined && text[below.first] === '>' ? quotedEnd(text, below) : last
  return { blocks: [{ kind: 'quote', start: line.first, end: quoted.end }], next: quoted.next }
}

function secondLine(text: string, line: Line): Line | undefined {
  if (line.next >= text.length) return undefined
  const second = readLine(text, line.next)
  if (second.end - second.first > ATTRIBUTION_UNITS_MAX) return undefined
  return WROTE.test(text.slice(second.first, second.end)) ? second : undefined
}

/** The next line, or the one after a blank one. */
function fullLineAfter(text: string, { next }: Line): Line | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  return line.next < text.length ? readLine(text, line.next) : undefined
}

function quotedEnd(text: string, line: Line): Line {
  let last = line
  while (last.next < text.length) {
    const next = readLine(text, last.next)
    if (text[next.first] !== '>' || isBlank(next)) break
    last = next
  }
  return last
}
