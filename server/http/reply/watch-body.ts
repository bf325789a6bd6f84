/**
 * How a reply ended: the client received all of it, the client disconnected or was cut off, or the source of the body
 * failed.
 */
export type BodyEnd = { bytes: number; how: 'whole' | 'left' } | { bytes: number; how: 'failed'; thrown: unknown }

/** What can end a reply, besides its own body. */
export type ReplyWatch = {
  /**
   * Aborted when the client has disconnected or the server stops waiting. This ends the reply, even if its body was not
   * read.
   */
  signal: AbortSignal
  /**
   * Resolves when the host has sent the reply (true) or the connection has closed (false). Absent without a connection.
   */
  sent?: Promise<boolean> | undefined
  /** Called once, when the reply has ended. */
  onEnd(end: BodyEnd): void
}

/**
 * Returns the same response, and reports once how it ended, whatever its reader does. When the reply ends, its body is
 * cancelled, so that its source is released even if the body was never read. Without a connection, a body in memory
 * ends at once, and a stream ends when it was read completely.
 */
export function watchBody(response: Response, { signal, sent, onEnd: ended }: ReplyWatch): Response {
  // Checked first: reading `body` would turn a response of plain bytes into a stream.
  const length = response.headers.get('content-length')
  const isStream = length === null && response.body !== null
  const body = isStream ? countBody(response.body) : undefined
  let isOver = false
  const end = (how: BodyEnd): void => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', leave)
    ended(how)
  }
  const bytes = (): number => body?.bytes() ?? Number(length)
  const leave = (): void => {
    if (!isOver) body?.stop(signal.reason)
    end({ bytes: bytes(), how: 'left' })
  }
  const complete = (): void => end({ bytes: bytes(), how: 'whole' })

  signal.addEventListener('abort', leave)
  void sent?.then((whole) => (whole ? complete() : leave()))
  body?.onEnd((how) => {
    if (how.how !== 'whole' || sent === undefined) end(how)
  })
  if (signal.aborted) leave()
  else if (!isStream && sent === undefined) complete()
  return body === undefined ? response : new Response(body.stream, response)
}

type CountedBody = {
  stream: ReadableStream<Uint8Array>
  bytes(): number
  /** Sets the function that receives the end of reading. */
  onEnd(listener: (end: BodyEnd) => void): void
  /** Cancels the source and interrupts the stream. */
  stop(reason: unknown): void
}

function countBody(source: ReadableStream<Uint8Array>): CountedBody {
  const reader = source.getReader()
  let bytes = 0
  let tell = (_: BodyEnd): void => undefined
  let breakOff = (_: unknown): void => undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = (reason) => controller.error(reason)
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            tell({ bytes, how: 'whole' })
            return controller.close()
          }
          bytes += value.length
          controller.enqueue(value)
        } catch (thrown) {
          tell({ bytes, how: 'failed', thrown })
          throw thrown
        }
      },
      async cancel(reason) {
        tell({ bytes, how: 'left' })
        await reader.cancel(reason)
      }
    },
    // Bytes are read only on demand.
    { highWaterMark: 0 }
  )
  return {
    stream,
    bytes: () => bytes,
    onEnd(listener) {
      tell = listener
    },
    stop(reason) {
      breakOff(reason)
      reader.cancel(reason).catch(() => undefined)
    }
  }
}
