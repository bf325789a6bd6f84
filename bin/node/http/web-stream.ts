import type { Readable } from 'node:stream'

/**
 * A stream of Node as one of the web. With `Readable.toWeb` a piece that is under way when somebody cancels is an exception that nobody
 * can catch, and the end of the process (https://github.com/nodejs/node/issues/64529): here each piece is asked for.
 */
export function webStream(readable: Readable): ReadableStream<Uint8Array> {
  const pieces = readable[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // Whoever reads is told by the reading; one that nobody reads any more breaks unheard.
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
