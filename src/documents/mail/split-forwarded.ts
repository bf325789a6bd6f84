import { findHeaderMeaning } from '../../memory/structure/read-mail-header.ts'
import type { ForwardedMail, Mail, MailAddress } from '../port/document-reader.ts'
import { FORWARDED_SUBJECT, isRule, LABELLED } from './extract-own-words.ts'

/** At most this many forwarded messages of one message are separate parts. */
const FORWARDED_MAX = 20
/** Lines of the header block of a forwarded message, and the empty lines before it. */
const HEADER_LINES_MAX = 10
const GAP_LINES_MAX = 2
/** Longer values of headers are cut, in UTF-16 code units. */
const VALUE_MAX = 1000

type SplitMail = { text: string; forwarded: ForwardedMail[] }

/**
 * Splits the text of a message at the messages that it forwards. Each begins with a line such as `---------- Forwarded
 * message ---------` and a header block, in any language whose header names are known. A forwarded message ends where
 * the next one begins.
 */
export function splitForwarded({ text, subject, offset }: Pick<Mail, 'text' | 'subject' | 'offset'>): SplitMail {
  const lines = text.split('\n')
  const blocks: HeaderBlock[] = []
  for (let at = 0; at < lines.length && blocks.length < FORWARDED_MAX; at++) {
    const block = isMark(lines[at] ?? '', subject) ? readHeaderBlock(lines, at) : undefined
    if (block === undefined) continue
    blocks.push(block)
    at = block.end - 1
  }
  const join = (from: number, to: number | undefined) => lines.slice(from, to).join('\n').trim()
  return {
    text: blocks[0] === undefined ? text : join(0, blocks[0].start),
    forwarded: blocks.map((block, place) => toForwarded(block, join(block.end, blocks[place + 1]?.start), offset))
  }
}

/** Reports whether a line may begin a forwarded message. In a forwarded mail, Outlook begins it with the headers. */
function isMark(line: string, subject = ''): boolean {
  if (isRule(line) || /^begin forwarded message:\s*$/i.test(line)) return true
  return FORWARDED_SUBJECT.test(subject) && findMeaning(line) === 'from'
}

/** `start` is its first line, and `end` the line after it. */
type HeaderBlock = { start: number; end: number; headers: ReadonlyMap<string, string> }

/** Reads the header block at a mark, which needs a sender, and a date or a subject. */
function readHeaderBlock(lines: readonly string[], mark: number): HeaderBlock | undefined {
  let at = findMeaning(lines[mark] ?? '') === 'from' ? mark : mark + 1
  for (let gap = 0; gap < GAP_LINES_MAX && lines[at]?.trim() === ''; gap++) at += 1
  const headers = new Map<string, string>()
  for (const end = at + HEADER_LINES_MAX; at < end; at++) {
    const meaning = findMeaning(lines[at] ?? '')
    if (meaning === undefined) break
    if (!headers.has(meaning)) headers.set(meaning, LABELLED.exec(lines[at] ?? '')?.[2]?.slice(0, VALUE_MAX) ?? '')
  }
  const isOne = headers.has('from') && (headers.has('date') || headers.has('subject'))
  return isOne ? { start: mark, end: at, headers } : undefined
}

function findMeaning(line: string): string | undefined {
  const name = LABELLED.exec(line)?.[1]
  return name === undefined ? undefined : findHeaderMeaning(name.trim())
}

function toForwarded({ headers }: HeaderBlock, text: string, offset: string | undefined): ForwardedMail {
  const [from, to, subject, date] = ['from', 'to', 'subject', 'date'].map((name) => cleanValue(headers.get(name)))
  const at = date === undefined ? undefined : parseWrittenDate(date, offset)
  return {
    ...(from !== undefined && { from: parsePerson(from) }),
    to: (to ?? '').split(/[,;]\s*(?=[^,;]*@)/).flatMap((one) => (one.trim() === '' ? [] : [parsePerson(one)])),
    ...(subject !== undefined && { subject }),
    ...(date !== undefined && { date }),
    ...(at !== undefined && { at }),
    text
  }
}

/** Removes the marks of bold text and what follows a name in Outlook. */
function cleanValue(value: string | undefined): string | undefined {
  const clean = value
    ?.replace(/^[*_]+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return clean === '' ? undefined : clean
}

/** Parses `Ann Lee <ann@acme.test>`, also as `Ann Lee [mailto:ann@acme.test]`. */
function parsePerson(value: string): MailAddress {
  const [, name = '', address = ''] = /^(.*?)\s*[<[](?:mailto:)?([^<>[\]]*)[>\]]/.exec(value) ?? []
  const bare = name.replace(/^["'\s]+|["'\s]+$/g, '')
  if (address === '') return value.includes('@') ? { address: value.trim() } : { name: value.trim(), address: '' }
  return bare === '' ? { address } : { name: bare, address }
}

/**
 * Parses the date in a header block of a forwarded message, such as `Mon, Mar 3, 2025 at 10:12 AM`. Without a zone of
 * its own, it is in that of the program that forwarded it. A date in digits is ambiguous, and month names of other
 * languages are not known: for both, it returns undefined.
 */
function parseWrittenDate(written: string, offset = '+0000'): number | undefined {
  const text = written
    .replace(/[\u202f\u00a0]/g, ' ')
    .replace(/\bat\b/gi, ' ')
    .replace(/^\p{L}+,?\s+(?=\d|\p{L}+\s+\d)/u, '')
  const isClear = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.test(text) && /\b\d{4}\b/.test(text)
  if (!isClear) return undefined
  const isZoned = /([+-]\d{4}|\b(GMT|UTC|[ECMP][SD]T))\)?\s*$/.test(text)
  const at = Date.parse(isZoned ? text : `${text} ${offset}`)
  return Number.isNaN(at) ? undefined : at
}
