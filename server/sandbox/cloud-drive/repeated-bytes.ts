/** Bytes of a piece of a body that is made while it is read. */
const PIECE_BYTES = 64 * 1024

/** The same bytes again and again, `size` of them, of which no more than a piece is ever held: files of any size cost nothing. */
export function repeatedBytes(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const pieces = repeatedPieces(bytes, size)
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    }
  })
}

/** The pieces of it, in their order. */
export function* repeatedPieces(bytes: Uint8Array, size: number): Generator<Uint8Array, undefined> {
  const unit = bytes.length === 0 ? new Uint8Array(1).fill(0x20) : bytes
  let sent = 0
  while (sent < size) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size - sent))
    for (let i = 0; i < piece.length; i += 1) piece[i] = unit[(sent + i) % unit.length] ?? 0
    sent += piece.length
    yield piece
  }
}
