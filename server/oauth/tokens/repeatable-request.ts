import { readStart, wholeOf } from './body-start.ts'

/** How large a body may be that is kept to be sent a second time, in bytes. */
const KEPT_BYTES_MAX = 1024 * 1024

/** A request, and the same once more; `again` is absent where the body is too large to be kept. */
export type RepeatableRequest = { next: Request; again: (() => Request) | undefined }

/** Makes a request so that it can be sent twice, which one with a stream for a body cannot. */
export async function repeatableRequest(request: Request): Promise<RepeatableRequest> {
  if (request.body === null) return { next: request, again: () => new Request(request) }
  const start = await readStart(request.body, KEPT_BYTES_MAX)
  if (start.rest !== undefined) return { next: withBody(request, wholeOf(start)), again: undefined }
  const body = new Blob(start.pieces)
  const make = (): Request => withBody(request, body)
  return { next: make(), again: make }
}

function withBody(request: Request, body: Blob | ReadableStream<Uint8Array<ArrayBuffer>>): Request {
  const { url, method, headers, signal, redirect } = request
  const init = { method, headers, signal, redirect, body, duplex: 'half' as const }
  return new Request(url, init)
}
