/** How a reply ended: the client has all of it, the client left or was cut off, or the source of the body failed. */
export type BodyEnd = { bytes: number; how: 'whole' | 'left' } | { bytes: number; how: 'failed'; thrown: unknown }

/** What ends a reply beside its own body. */
export type ReplyWatch = {
  /** Aborted when the client has gone or the server waits no longer: the reply is over then, read or not. */
  signal: AbortSignal
  /** Resolves when the host has sent the reply (true) or the connection closed (false); absent without a connection. */
  sent?: Promise<boolean> | undefined
  /** Called once, when the reply is over. */
  onEnd(end: BodyEnd): void
}

/**
 * Returns the same response and tells once how it ended, whatever its reader does. A body whose reply is over is
 * cancelled, so that its source is released even if nobody ever read from it. Without a connection to wait for, a body
 * in memory is over at once, and a stream when it was read to its end.
 */
export function watchBody(response: Response, { signal, sent, onEnd: ended }: ReplyWatch): Response {
  // Asked first: a response that was never more than its bytes stays one.
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
  /** Tells how reading ended. */
  onEnd(listener: (end: BodyEnd) => void): void
  /** Cancels the source and breaks the stream off. */
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
    // Nothing is read ahead of who reads.
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
