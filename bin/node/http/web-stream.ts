import type { Readable } from 'node:stream'

/**
 * Converts a Node stream to a web stream. With `Readable.toWeb`, a chunk in flight during a cancellation throws an
 * exception that cannot be caught and ends the process (https://github.com/nodejs/node/issues/64529). Here each chunk
 * is pulled.
 */
export function webStream(readable: Readable): ReadableStream<Uint8Array> {
  const pieces = readable[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // A reader gets the error from its stream. Without a reader, it is ignored.
  readable.on('error', () => undefined)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void readable.destroy()
    },
    { highWaterMark: 0 }
  )
}
