/**
 * The same response, whose end is told: how many bytes went out, once, when all have, when the reader went away or when
 * the source failed. A body in memory is over at once.
 */
export function watchBody(response: Response, ended: (bytes: number, failure?: unknown) => void): Response {
  // Asked first: a response that was never more than its bytes stays one.
  const length = response.headers.get('content-length')
  if (length !== null || response.body === null) {
    ended(Number(length))
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
            ended(bytes)
            return controller.close()
          }
          bytes += value.length
          controller.enqueue(value)
        } catch (thrown) {
          ended(bytes, thrown)
          throw thrown
        }
      },
      async cancel(reason) {
        ended(bytes, reason)
        await reader.cancel(reason)
      }
    },
    // Nothing is read ahead of who reads.
    { highWaterMark: 0 }
  )
  return new Response(counted, response)
}
