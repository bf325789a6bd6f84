import { Fault } from '../../../src/contract/faults.ts'
import { parseJson } from '../../../src/snapshot/json/json.ts'
import { scanJson } from '../../../src/snapshot/json/json-scan.ts'
import type { ReadBody } from '../engine/engine-calls.ts'
import { listJsonMembers } from './list-json-members.ts'

/**
 * Maximum number of values in a body outside of the snapshot's records. They are copied to the thread that answers
 * requests.
 */
const VALUES_MAX = 100_000

/**
 * Reads a JSON body without the records of its snapshot. Checks that all of it is JSON that every parser reads in the
 * same way.
 *
 * @throws Fault `malformed_json` with the problem; `too_large` for too many values outside of the records.
 */
export function readBody(bytes: Uint8Array): ReadBody {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const { fault } = scanJson(body, 0, body.length)
  if (fault !== undefined) throw makeMalformedFault(fault)
  const start = body.findIndex((byte) => byte > SPACE)
  const snapshot = listJsonMembers(body, start).find(({ name, from }) => name === 'snapshot' && body[from] === BRACE)
  if (snapshot === undefined) return { value: parseValue(body), bytes, snapshot: undefined }
  const { from, to } = snapshot
  const records = listJsonMembers(body, from).find((one) => one.name === 'records' && body[one.from] === BRACKET)
  return { value: parseValue(records === undefined ? body : without(body, records)), bytes, snapshot: { from, to } }
}

const SPACE = 0x20
const BRACE = 0x7b
const BRACKET = 0x5b

type Range = { from: number; to: number }

function without(body: Buffer, { from, to }: Range): Buffer {
  return Buffer.concat([body.subarray(0, from), EMPTY_LIST, body.subarray(to)])
}

const EMPTY_LIST = Buffer.from('[]')

function parseValue(text: Buffer): unknown {
  if (countValues(text, VALUES_MAX) > VALUES_MAX) {
    throw new Fault('too_large', `the body has more than ${VALUES_MAX} values outside the records of a snapshot`, {
      hint: 'send fewer values in one request'
    })
  }
  const parsed = parseJson(text)
  if ('fault' in parsed) throw makeMalformedFault(parsed.fault)
  return parsed.value
}

function makeMalformedFault(fault: string): Fault {
  return new Fault('malformed_json', `the body is not valid JSON: ${fault}`)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Returns the approximate number of values in valid JSON: the commas outside of strings. Stops counting beyond `max`.
 */
function countValues(json: Uint8Array, max: number): number {
  let count = 1
  for (let at = 0; at < json.length && count <= max; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === COMMA) count++
  }
  return count
}

/** Returns the position of the quote that ends the string starting at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
