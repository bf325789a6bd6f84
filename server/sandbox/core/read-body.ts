import { Buffer } from 'node:buffer'

/** Maximum size of a request body. Adapters and forms send far less. */
const BODY_BYTES_MAX = 8 * 1024 * 1024

/** Reads the body of a request, or returns undefined if it is over the limit. Rejects if the client disconnects. */
export async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(pieces)
    bytes += value.length
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    pieces.push(value)
  }
}
