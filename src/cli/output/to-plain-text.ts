import { replaceHidden } from './hidden-characters.ts'

/**
 * Makes untrusted text safe for a terminal. Removes control and escape sequences and the characters that a terminal
 * does not show (`hidden-characters.ts` has the table). A tab becomes a space, every kind of line end a newline, and
 * half a surrogate pair U+FFFD.
 */
export function toPlainText(text: string): string {
  const shown = replaceHidden(text, () => '')
  if (!SUSPECT.test(shown)) return shown
  const lines = shown.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replaceAll('\t', ' ')
  return replaceHidden(withoutSequences(lines).replace(CONTROLS, ''), () => '').replace(HALF_PAIRS, '\ufffd')
}

/** Makes untrusted text safe on one line: newlines become spaces. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s*\n\s*/g, ' ')
}

const SUSPECT = /[^\P{Cc}\n]|[\p{Cs}\u2028\u2029]/u
const CONTROLS = /[^\P{Cc}\n]/gu

const HALF_PAIRS = /\p{Cs}/gu

const ESCAPE = 0x1b
const BELL = 0x07
const STRING_END = 0x9c

/**
 * Second characters of the sequences that carry a string (device control, start of string, OSC, privacy, application).
 */
const STRING_STARTS = new Set('PX]^_')

function withoutSequences(text: string): string {
  let kept = ''
  for (let at = 0; at < text.length; ) {
    const end = sequenceEnd(text, at)
    if (end === at) kept += text[at++]
    else at = end
  }
  return kept
}

/** Returns the end of the escape sequence that begins at `at`, or `at` if none begins there. */
function sequenceEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === ESCAPE) return findSequenceEnd(text, at + 1, text[at + 1] ?? '')
  if (code >= 0x80 && code < 0xa0) return findSequenceEnd(text, at, String.fromCharCode(code - 0x40))
  return at
}

/** Returns the end of a sequence. `at` is the last character of its introducer, and `letter` is its 7-bit form. */
function findSequenceEnd(text: string, at: number, letter: string): number {
  if (letter === '[') return controlEnd(text, at + 1)
  if (STRING_STARTS.has(letter)) return stringEnd(text, at + 1)
  return plainEscapeEnd(text, at)
}

function controlEnd(text: string, from: number): number {
  let at = from
  while (inRange(text.charCodeAt(at), 0x20, 0x3f)) at++
  return inRange(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : at
}

/**
 * Returns the end of a string sequence. If the string never ends, only its introducer is removed, and the text after it
 * is shown.
 */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BELL || code === STRING_END) return at + 1
    if (code === ESCAPE) return text[at + 1] === '\\' ? at + 2 : from
  }
  return from
}

function plainEscapeEnd(text: string, from: number): number {
  let at = from
  while (inRange(text.charCodeAt(at), 0x20, 0x2f)) at++
  return inRange(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : Math.max(at, from)
}

function inRange(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}
