/**
 * Walks JSON that `scanJson` has found to be valid. It only searches for the ends of values, which takes a fraction of
 * the time. It never reads beyond the end, whatever the bytes are.
 */

/** A member of an object: its name, its key as written, and the place of its value. */
export type JsonMember = { name: string; key: string; from: number; to: number }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACE = 0x7b
const BRACE_END = 0x7d
const BRACKET = 0x5b
const BRACKET_END = 0x5d

/** Lists the members of the object that starts at `start`. Returns none for any other value. */
export function listJsonMembers(json: Buffer, start: number): JsonMember[] {
  const members: JsonMember[] = []
  if (json[start] !== BRACE) return members
  for (let at = pastSpace(json, start + 1); json[at] === QUOTE; at = pastSpace(json, at)) {
    const keyEnd = endOfString(json, at) + 1
    const key = json.toString('utf8', at, keyEnd)
    // Skips the colon.
    const from = pastSpace(json, pastSpace(json, keyEnd) + 1)
    const to = endOfValue(json, from)
    members.push({ name: JSON.parse(key), key, from, to })
    at = pastSpace(json, to)
    if (json[at] === COMMA) at++
  }
  return members
}

/** Calls `visit` with the place of each item of the array that starts at `start`. */
export function eachItem(json: Buffer, start: number, visit: (from: number, to: number) => void): void {
  let at = pastSpace(json, start + 1)
  while (at < json.length && json[at] !== BRACKET_END) {
    const to = endOfValue(json, at)
    visit(at, to)
    at = pastSpace(json, to)
    if (json[at] === COMMA) at = pastSpace(json, at + 1)
  }
}

/** Returns the end of the value that starts at `start`: the position after it, which is always after its first byte. */
function endOfValue(json: Buffer, start: number): number {
  const first = json[start]
  if (first === QUOTE) return Math.min(json.length, endOfString(json, start) + 1)
  if (first !== BRACE && first !== BRACKET) return endOfWord(json, start)
  const end = json.length
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === BRACE || byte === BRACKET) depth++
    else if ((byte === BRACE_END || byte === BRACKET_END) && --depth === 0) return at + 1
  }
  return end
}

/** Returns the position of the quote that ends the string starting at `start`. */
function endOfString(json: Buffer, start: number): number {
  const end = json.length
  let at = start + 1
  while (at < end && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

function endOfWord(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && !isDelimiter(json[at] as number)) at++
  return at
}

function isDelimiter(byte: number): boolean {
  return byte <= 0x20 || byte === COMMA || byte === BRACE_END || byte === BRACKET_END
}

function pastSpace(json: Buffer, start: number): number {
  let at = start
  while (at < json.length && (json[at] as number) <= 0x20) at++
  return at
}
