type Bytes = Uint8Array<ArrayBuffer>

/** What was read of a body, and the reader of the rest; without one, that was all. */
export type BodyStart = { pieces: Bytes[]; rest: ReadableStreamDefaultReader<Bytes> | undefined }

/** Reads a body until it ends, or until more than `bytesMax` of it are there. */
export async function readStart(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<BodyStart> {
  const rest = body.getReader() as ReadableStreamDefaultReader<Bytes>
  const pieces: Bytes[] = []
  let bytes = 0
  while (bytes <= bytesMax) {
    const { done, value } = await rest.read()
    if (done) return { pieces, rest: undefined }
    pieces.push(value)
    bytes += value.length
  }
  return { pieces, rest }
}

/** The whole body again: what was read already, and then the rest. */
export function wholeOf({ pieces, rest }: BodyStart): ReadableStream<Bytes> {
  const left = [...pieces]
  return new ReadableStream({
    async pull(controller) {
      const piece = left.shift()
      if (piece) return controller.enqueue(piece)
      const { done, value } = (await rest?.read()) ?? { done: true, value: undefined }
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => await rest?.cancel(reason)
  })
}
