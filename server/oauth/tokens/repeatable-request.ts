/** How large a body may be that is kept to be sent a second time, in bytes. */
const KEPT_BYTES_MAX = 1024 * 1024

/** A request, and the same once more; `again` is absent where the body is too large to be kept. */
export type RepeatableRequest = { next: Request; again: (() => Request) | undefined }

/** Makes a request so that it can be sent twice, which one with a stream for a body cannot. */
export async function repeatableRequest(request: Request): Promise<RepeatableRequest> {
  if (request.body === null) return { next: request, again: () => new Request(request) }
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  while (bytes <= KEPT_BYTES_MAX) {
    const { done, value } = await reader.read()
    if (done) {
      const body = new Blob(pieces)
      const make = (): Request => withBody(request, body)
      return { next: make(), again: make }
    }
    pieces.push(value)
    bytes += value.length
  }
  return { next: withBody(request, joined(pieces, reader)), again: undefined }
}

function withBody(request: Request, body: Blob | ReadableStream<Uint8Array<ArrayBuffer>>): Request {
  const { url, method, headers, signal, redirect } = request
  const init = { method, headers, signal, redirect, body, duplex: 'half' as const }
  return new Request(url, init)
}

/** What was read already, and then the rest. */
function joined(
  pieces: Uint8Array<ArrayBuffer>[],
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift()
      if (piece) return controller.enqueue(piece)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  })
}
