/** The same bytes with memory of their own, which can be moved: a view on the memory of others is copied. */
export function ownedBytes(bytes: Uint8Array): { bytes: Uint8Array; buffer: ArrayBuffer } {
  const { buffer, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !Buffer.isBuffer(bytes)) {
    return { bytes, buffer }
  }
  const copy = new Uint8Array(bytes)
  return { bytes: copy, buffer: copy.buffer }
}
