import { Buffer } from 'node:buffer'
import { CHECK_SUFFIX_BYTES, readCheck, serializeRecord } from '../../src/snapshot/record/check.ts'
import { computeForgetId } from '../../src/snapshot/record/identity.ts'
import { ID_BYTES, RECORD_KINDS } from './record-batch.ts'
import type { NewLine } from './write-lines.ts'

/** Why a memory is forgotten that was in an account, and is no more. */
const REASON = 'deleted at the source'

/** The line that takes back the memory of this key, as a source does. */
export function forgetLine(key: Uint8Array, now: number): NewLine {
  const id = Buffer.from(key.buffer, key.byteOffset, ID_BYTES).toString('hex')
  const target = `mem_${id}`
  const at = new Date(now).toISOString()
  const line = Buffer.from(serializeRecord({ type: 'forget', id: computeForgetId(target), at, target, reason: REASON }))
  return {
    kind: RECORD_KINDS.forget,
    key,
    time: now,
    extractor: 0,
    check: Buffer.from(readCheck(line, line.byteLength - CHECK_SUFFIX_BYTES), 'hex'),
    line,
    takenBack: 1
  }
}
