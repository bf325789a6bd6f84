/**
 * A reply whose body breaks off after `bytes` bytes, or in its middle where it has no more than that. `nextTurn` resolves when
 * what is due has been done.
 */
export async function brokenOff(
  reply: Response,
  { bytes, nextTurn }: { bytes: number; nextTurn(): Promise<void> }
): Promise<Response> {
  const whole = new Uint8Array(await reply.arrayBuffer())
  const kept = whole.subarray(0, bytes < whole.length ? bytes : whole.length >> 1)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (kept.length > 0) controller.enqueue(kept)
    },
    async pull(controller) {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn()
      controller.error(cutOff())
    }
  })
  const headers = new Headers(reply.headers)
  // Only bodies that say how long they are can be seen to have broken off.
  headers.set('content-length', String(Math.max(whole.length, kept.length + 1)))
  return new Response(body, { status: reply.status, headers })
}

/**
 * The server looks for the first pieces of a body before it sends anything (@hono/node-server): an error that is there by then is
 * taken for the end, and the connection kept open, on which the rest is waited for. So many turns later the head has gone out.
 */
const TURNS = 5

/** Servers print what breaks a body. Of what was ordered one line is enough, so it has no stack. */
function cutOff(): Error {
  const error = new TypeError('the connection was cut off, as it was ordered')
  delete error.stack
  return error
}

/** A JSON reply with the right members and the wrong values; of another reply, JSON that nobody asked for. */
export async function wronglyShaped(reply: Response): Promise<Response> {
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  const value: unknown = isJson ? await reply.json() : undefined
  return Response.json(typeof value === 'object' && value !== null ? misshapen(value) : ['unexpected'], {
    status: reply.status
  })
}

/** Truth values stay: some providers say by one whether there was an error. */
function misshapen(value: object): unknown {
  if (Array.isArray(value)) return { unexpected: value.length }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, typeof member === 'boolean' ? member : { unexpected: true }])
  )
}

const PIECE = new Uint8Array(64 * 1024).fill(0x20)

/** A reply with `bytes` bytes of white space before it, which JSON allows. */
export async function padded(reply: Response, bytes: number): Promise<Response> {
  const whole = new Uint8Array(await reply.arrayBuffer())
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left <= 0) {
        controller.enqueue(whole)
        controller.close()
        return
      }
      controller.enqueue(PIECE.slice(0, Math.min(left, PIECE.length)))
      left -= PIECE.length
    }
  })
  const headers = new Headers(reply.headers)
  headers.delete('content-length')
  return new Response(body, { status: reply.status, headers })
}
