import type { RecordBatch } from './record-batch.ts'

/** A batch whose memory can be moved to another thread, and the buffers to move. */
export type OwnedBatch<Batch extends RecordBatch> = { batch: Batch; hand: ArrayBuffer[] }

/**
 * The batch with each array in a buffer of its own. One that is part of a larger buffer, which others may use, is copied;
 * the others are as they were, and gone for the caller once they are moved.
 */
export function ownBatch<Batch extends RecordBatch>(batch: Batch): OwnedBatch<Batch> {
  const hand = new Set<ArrayBuffer>()
  const owned = Object.entries(batch).map(([name, value]: [string, unknown]) => {
    if (!isArray(value)) return [name, value]
    const own = value.byteLength === value.buffer.byteLength ? value : value.slice()
    if (own.buffer instanceof ArrayBuffer) hand.add(own.buffer)
    return [name, own]
  })
  // The same names with the same types.
  return { batch: Object.fromEntries(owned) as Batch, hand: [...hand] }
}

function isArray(value: unknown): value is Uint8Array | Float64Array | Uint32Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}
