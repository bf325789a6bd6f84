import { Fault } from '../../../src/contract/faults.ts'
import { scanJson } from '../../../src/snapshot/json-scan.ts'
import { parseJson } from '../../../src/snapshot/parse-json.ts'
import type { ReadBody } from '../engine-calls.ts'
import { countValues } from './count-values.ts'

/** Values that a body may hold beside the records of its snapshot: they are copied to the thread that answers requests. */
const VALUES_MAX = 100_000

/**
 * Reads a JSON body, its snapshot without the records. All of it is tested to be JSON that every reader understands alike.
 * @throws Fault `malformed_json` saying what is wrong with it; `too_large` for very many values beside the records.
 */
export function readBody(bytes: Uint8Array): ReadBody {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const members = membersOf(body, { from: 0, to: body.length })
  const snapshot = members.find(({ name, from }) => name === 'snapshot' && body[from] === BRACE)
  if (snapshot === undefined) return { value: parsedValue(body), bytes, snapshot: undefined }
  const records = membersOf(body, snapshot).find(({ name, from }) => name === 'records' && body[from] === BRACKET)
  const { from, to } = snapshot
  return { value: parsedValue(records === undefined ? body : without(body, records)), bytes, snapshot: { from, to } }
}

const BRACE = 0x7b
const BRACKET = 0x5b

type Range = { from: number; to: number }

type Member = Range & { name: string }

/** The members of the object that stands there; none of anything else. */
function membersOf(body: Buffer, { from, to }: Range): Member[] {
  const { fault, members, memberCount } = scanJson(body, from, to)
  if (fault !== undefined) throw malformed(fault)
  return Array.from({ length: memberCount }, (_, i) => {
    const [start = 0, end = 0, from = 0, to = 0] = members.slice(i * 4, i * 4 + 4)
    return { name: JSON.parse(body.toString('utf8', start - 1, end + 1)), from, to }
  })
}

function without(body: Buffer, { from, to }: Range): Buffer {
  return Buffer.concat([body.subarray(0, from), EMPTY_LIST, body.subarray(to)])
}

const EMPTY_LIST = Buffer.from('[]')

function parsedValue(text: Buffer): unknown {
  if (countValues(text, VALUES_MAX) > VALUES_MAX) {
    throw new Fault('too_large', `the body has more than ${VALUES_MAX} values beside the records of a snapshot`, {
      hint: 'send fewer at a time'
    })
  }
  const parsed = parseJson(text)
  if ('fault' in parsed) throw malformed(parsed.fault)
  return parsed.value
}

function malformed(fault: string): Fault {
  return new Fault('malformed_json', `the body is not JSON that every reader understands alike: ${fault}`)
}
