/** How a body ended: all of it went out, its reader went away, or its source threw something. */
export type BodyEnd = { bytes: number; how: 'whole' | 'left' } | { bytes: number; how: 'failed'; thrown: unknown }

/** The same response, whose end is told once. A body in memory is over at once. */
export function watchBody(response: Response, ended: (end: BodyEnd) => void): Response {
  // Asked first: a response that was never more than its bytes stays one.
  const length = response.headers.get('content-length')
  if (length !== null || response.body === null) {
    ended({ bytes: Number(length), how: 'whole' })
    return response
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  let bytes = 0
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            ended({ bytes, how: 'whole' })
            return controller.close()
          }
          bytes += value.length
          controller.enqueue(value)
        } catch (thrown) {
          ended({ bytes, how: 'failed', thrown })
          throw thrown
        }
      },
      async cancel(reason) {
        ended({ bytes, how: 'left' })
        await reader.cancel(reason)
      }
    },
    // Nothing is read ahead of who reads.
    { highWaterMark: 0 }
  )
  return new Response(counted, response)
}
