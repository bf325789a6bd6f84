import { isUtf8 } from 'node:buffer'
import { TIME_PATTERN } from '../../memory/parse-iso-time.ts'
import { type ParsedLine, toTimeKey } from './check-record-shape.ts'
import { CHECK_SUFFIX_BYTES, sha256 } from './compute-check.ts'
import { MEMORY_TAG } from './identity.ts'
import { MEMBERS, type RecordView, resetView } from './record-view.ts'

/**
 * Validates the usual kind of line: a memory as memctl writes it, without nested values. One regular expression checks
 * its grammar, canonical form and shape at once. V8 compiles it to machine code at the second line, whereas the scanner
 * needs thousands of lines to become as fast, which is half the time of a short process. A line that does not match may
 * still be valid and must be scanned.
 *
 * Returns the line between `start` and `end` if it matches and is valid. The object is reused for every line.
 */
export function parsePlainMemory(bytes: Buffer, start: number, end: number): ParsedLine | undefined {
  if (end - start > PLAIN_BYTES_MAX) return undefined
  const line = bytes.toString('latin1', start, end)
  const ascii = PLAIN.exec(line)
  const found = ascii ?? WIDE.exec(line)
  if (found === null) return undefined
  isWide = ascii === null
  if (isWide && !isUtf8(bytes.subarray(start, end))) return undefined
  const check = found[CHECK] as string
  const id = found[ID] as string
  if (hashText(`${found[UNCHECKED]}}`) !== check) return undefined
  if (!id.startsWith(hashText(formatIdentity(found)).slice(0, 32), 4)) return undefined
  const view = resetView(bytes, start, end)
  view.canonical = true
  view.suffix = end - CHECK_SUFFIX_BYTES
  view.place = placeMembers
  match = found
  plain.view = view
  plain.check = check
  plain.id = id
  plain.at = toTimeKey(found[AT] as string)
  const position = found[POSITION]
  plain.position = position === undefined ? undefined : Number(position)
  plain.extractor = Number(found[EXTRACTOR])
  return plain
}

const plain = { kind: 'memory' } as ParsedLine

/** The last match, for the view, and whether it has characters beyond ASCII. */
let match: RegExpExecArray
let isWide = false

/** Backtracking needs memory in proportion to the line. */
const PLAIN_BYTES_MAX = 64 * 1024

type Rule = { name: keyof typeof MEMBERS; value: string; quotes?: true; required?: true }

/** Builds the pattern for a line of bytes as Latin-1. `more` lists characters that are not allowed in strings. */
function buildPlainPattern(more: string): { pattern: RegExp; rules: readonly Rule[] } {
  const letters = String.raw`[^"\\\x00-\x1f${more}]*`
  const text = String.raw`"${letters}(?:\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f]))${letters})*"`
  const rules: readonly Rule[] = [
    { name: 'at', value: TIME_PATTERN, quotes: true, required: true },
    { name: 'conversation', value: text },
    { name: 'copy', value: String.raw`[2-9]|[1-9]\d{1,14}` },
    { name: 'extractor', value: String.raw`0|[1-9]\d{0,14}`, required: true },
    { name: 'id', value: 'mem_[0-9a-f]{32}', quotes: true, required: true },
    { name: 'position', value: String.raw`0|-?[1-9]\d{0,14}` },
    { name: 'speaker', value: text },
    { name: 'text', value: text, required: true },
    { name: 'type', value: 'memory', quotes: true, required: true },
    { name: 'undated', value: 'true' }
  ]
  const members = rules.map(({ name, value, quotes, required }, i) => {
    const member = `${i === 0 ? '' : ','}"${name}":${quotes ? `"(${value})"` : `(${value})`}`
    return required ? member : `(?:${member})?`
  })
  return { pattern: new RegExp(`^(\\{${members.join('')}),"check":"([0-9a-f]{64})"\\}$`), rules }
}

const { pattern: PLAIN, rules: RULES } = buildPlainPattern(String.raw`\x80-\xff`)
const { pattern: WIDE } = buildPlainPattern('')

/** Capturing groups: everything that the check covers except the last brace, then the members, then the check. */
const UNCHECKED = 1
const findGroup = (name: Rule['name']): number => RULES.findIndex((rule) => rule.name === name) + 2
const AT = findGroup('at')
const CONVERSATION = findGroup('conversation')
const COPY = findGroup('copy')
const EXTRACTOR = findGroup('extractor')
const ID = findGroup('id')
const POSITION = findGroup('position')
const SPEAKER = findGroup('speaker')
const TEXT = findGroup('text')
const UNDATED = findGroup('undated')
const CHECK = RULES.length + 2

/** `hash` encodes a text as UTF-8, which for ASCII gives the same bytes. */
function hashText(text: string): string {
  return sha256(isWide ? Buffer.from(text, 'latin1') : text)
}

/** The values are written in the line as in the canonical form of the identity. */
function formatIdentity(found: RegExpExecArray): string {
  const at = found[UNDATED] === undefined ? `"${found[AT]}"` : 'null'
  return `["${MEMORY_TAG}",${found[TEXT]},${found[SPEAKER] ?? 'null'},${at},${found[CONVERSATION] ?? 'null'},${found[COPY] ?? 1}]`
}

/** Computes where each value starts from the lengths of those before it. */
function placeMembers({ at, start, end }: RecordView): void {
  let cursor = start + 1
  for (let i = 0; i < PLACES.length; i++) {
    const value = match[i + 2]
    if (value === undefined) continue
    const { place, nameBytes, quoteBytes } = PLACES[i] as (typeof PLACES)[number]
    at[place] = cursor + nameBytes
    at[place + 1] = cursor + nameBytes + value.length + quoteBytes
    cursor = (at[place + 1] as number) + 1
  }
  at[MEMBERS.check] = end - 67
  at[MEMBERS.check + 1] = end - 1
}

const PLACES = RULES.map(({ name, quotes }) => ({
  place: MEMBERS[name],
  nameBytes: name.length + 3,
  quoteBytes: quotes ? 2 : 0
}))
