import { Buffer } from 'node:buffer'
import type { Body } from '../../../src/contract/endpoint.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { describeJsonFault, parseJson } from '../../../src/snapshot/json/json.ts'
import type { SnapshotBytes, SnapshotEngine } from '../../recall/engine.ts'

export type ParsedBody = { value: unknown; snapshot: SnapshotBytes | undefined }

/** Up to here a body is parsed at once, in a millisecond or two; beyond, a thread of the engine does it. */
const SMALL_BYTES_MAX = 256 * 1024

/**
 * The value of a JSON body, and the snapshot in it where the row holds one.
 *
 * @throws Fault `malformed_json`
 */
export async function parseBody(
  bytes: Uint8Array,
  { holdsSnapshot }: Body,
  engine: Pick<SnapshotEngine, 'readBody'>
): Promise<ParsedBody> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > SMALL_BYTES_MAX || (holdsSnapshot && buffer.includes('snapshot'))) return engine.readBody(bytes)
  const parsed = parseJson(buffer)
  if ('fault' in parsed) {
    throw new Fault('malformed_json', `the body ${describeJsonFault(parsed.fault)}`, {
      hint: 'send one JSON value in UTF-8'
    })
  }
  // The name can be written in escapes.
  if (holdsSnapshot && hasSnapshot(parsed.value)) return engine.readBody(bytes)
  return { value: parsed.value, snapshot: undefined }
}

function hasSnapshot(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'snapshot')
}
