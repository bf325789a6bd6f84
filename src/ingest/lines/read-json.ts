import { Buffer } from 'node:buffer'
import { TreeError, type TreeFile } from '../port/file-tree.ts'

/** A JSON object of a file, or a part of it that is not one. */
export type JsonPart = { object: JsonMembers } | { malformed: true }

export type JsonMembers = Readonly<Record<string, unknown>>

/** A larger object is reported as malformed, in bytes. */
const OBJECT_BYTES_MAX = 256 * 1024 * 1024

/**
 * Yields the objects of a JSON array, one at a time, so that a file of any size takes the memory of one object. A file
 * with one object yields that.
 *
 * @throws TreeError if the file cannot be read.
 */
export async function* readJsonObjects(file: TreeFile): AsyncGenerator<JsonPart> {
  const scanner = createScanner()
  for await (const chunk of file.read()) yield* scanner.take(chunk)
  if (scanner.isOpen()) yield { malformed: true }
}

/**
 * Yields the object of each line of a file.
 *
 * @throws TreeError if the file cannot be read.
 */
export async function* readJsonLines(file: TreeFile): AsyncGenerator<JsonPart> {
  let rest: Buffer[] = []
  let size = 0
  for await (const chunk of file.read()) {
    const bytes = Buffer.from(chunk)
    let from = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      yield* parseLine(Buffer.concat([...rest, bytes.subarray(from, end)]))
      rest = []
      size = 0
      from = end + 1
    }
    rest.push(bytes.subarray(from))
    size += bytes.length - from
    if (size > OBJECT_BYTES_MAX) throw new TreeError('too_large', `${file.path} has a line that is too long`)
  }
  yield* parseLine(Buffer.concat(rest))
}

const LF = 0x0a

function* parseLine(bytes: Buffer): Generator<JsonPart> {
  const text = bytes.toString('utf8').trim()
  if (text !== '') yield parseObject(text)
}

function parseObject(text: string): JsonPart {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? { object: value } : { malformed: true }
  } catch {
    return { malformed: true }
  }
}

/** Reports whether a value is a JSON object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the objects of a JSON array; none for any other value. */
export function listMembers(value: unknown): JsonMembers[] {
  return Array.isArray(value) ? value.filter(isMembers) : []
}

/** Returns a text that is not empty; undefined for any other value. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const BYTE = { QUOTE: 0x22, BACKSLASH: 0x5c, OPEN: 0x7b, CLOSE: 0x7d }

/** Where a scan is: the level of braces, and whether it is within a text or after a backslash there. */
type ScanState = { depth: number; isText: boolean; isEscaped: boolean }

/** Advances a scan by a byte, and returns whether an outermost object starts or ends there. */
function step(state: ScanState, byte: number): 'start' | 'end' | undefined {
  if (state.isText) {
    if (state.isEscaped) state.isEscaped = false
    else if (byte === BYTE.BACKSLASH) state.isEscaped = true
    else if (byte === BYTE.QUOTE) state.isText = false
  } else if (byte === BYTE.QUOTE) state.isText = state.depth > 0
  else if (byte === BYTE.OPEN) return state.depth++ === 0 ? 'start' : undefined
  else if (byte === BYTE.CLOSE && state.depth > 0) return --state.depth === 0 ? 'end' : undefined
  return undefined
}

/** Finds the objects of a stream by their braces, outside of texts. */
function createScanner() {
  const state: ScanState = { depth: 0, isText: false, isEscaped: false }
  let parts: Buffer[] = []
  let size = 0

  const take = function* (chunk: Uint8Array): Generator<JsonPart> {
    const bytes = Buffer.from(chunk)
    let start = state.depth > 0 ? 0 : -1
    for (let at = 0; at < bytes.length; at++) {
      const found = step(state, bytes[at] ?? 0)
      if (found === 'start') start = at
      if (found !== 'end') continue
      yield parseObject(Buffer.concat([...parts, bytes.subarray(start, at + 1)]).toString('utf8'))
      parts = []
      size = 0
      start = -1
    }
    if (start < 0) return
    parts.push(bytes.subarray(start))
    size += bytes.length - start
    if (size > OBJECT_BYTES_MAX) throw new TreeError('too_large', 'the file has an object that is too large')
  }
  return { take, isOpen: () => state.depth > 0 }
}
