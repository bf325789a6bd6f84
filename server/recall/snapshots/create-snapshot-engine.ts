import type { SnapshotBytes, SnapshotEngine } from '../engine/engine.ts'
import type { EnginePool } from '../pool/engine-pool.ts'

/** Larger bodies keep a thread busy for a long time. */
const LONG_BYTES = 256 * 1024

/** Creates the engine for snapshots sent with a request, which works in the threads of a pool and has no storage. */
export function createSnapshotEngine(pool: EnginePool): SnapshotEngine {
  return {
    async readBody(body, signal) {
      const { bytes, buffer } = ownBytes(body)
      const send = () => ({ argument: bytes, hand: [buffer] })
      const read = await pool.run({ name: 'readBody', send, ...measure(bytes), signal })
      const { value, snapshot } = read
      return { value, snapshot: snapshot && { bytes: read.bytes, ...snapshot, form: 'json' } }
    },
    searchSnapshot(given, question, signal) {
      const { snapshot, hand } = takeSnapshot(given)
      const send = () => ({ argument: { snapshot, question }, hand })
      return pool.run({ name: 'searchSnapshot', send, ...measure(snapshot.bytes), signal })
    },
    storeIntoSnapshot(given, input, signal) {
      const { snapshot, hand } = takeSnapshot(given)
      const send = () => ({ argument: { snapshot, input }, hand })
      return pool.run({ name: 'storeIntoSnapshot', send, ...measure(snapshot.bytes), signal })
    },
    readRecords(given, signal) {
      const { snapshot, hand } = takeSnapshot(given)
      const send = () => ({ argument: snapshot, hand })
      return pool.run({ name: 'readRecords', send, ...measure(snapshot.bytes), signal })
    }
  }
}

function takeSnapshot(snapshot: SnapshotBytes): { snapshot: SnapshotBytes; hand: ArrayBuffer[] } {
  const { bytes, buffer } = ownBytes(snapshot.bytes)
  return { snapshot: { ...snapshot, bytes }, hand: [buffer] }
}

function measure({ length }: Uint8Array): { isLong: boolean; bytes: number } {
  return { isLong: length > LONG_BYTES, bytes: length }
}

/** Returns the same bytes in their own memory, which can be transferred. A view of shared memory is copied. */
function ownBytes(bytes: Uint8Array): { bytes: Uint8Array; buffer: ArrayBuffer } {
  const { buffer, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !Buffer.isBuffer(bytes)) {
    return { bytes, buffer }
  }
  const copy = new Uint8Array(bytes)
  return { bytes: copy, buffer: copy.buffer }
}
