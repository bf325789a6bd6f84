import { Fault } from '../../../src/contract/faults.ts'
import type { Allowance } from './body-budget.ts'
import type { IdleWatch, WatchedBody } from './idle-watch.ts'

export type BodyLimits = {
  bytesMax: number
  idle: IdleWatch
  allowance: Allowance
  /** Aborted when the client has gone: not every stream of a body says so. */
  signal: AbortSignal
}

/**
 * All bytes of a body, in memory of their own, which may be moved to a thread.
 *
 * @throws Fault `too_large` before more is read than may come, `timed_out` where nothing comes for too long,
 * `unavailable` where others take all the room, `malformed_json` where the body breaks off.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const declared = declaredLength(request.headers)
  if (declared !== undefined && declared > limits.bytesMax) throw tooLarge(limits.bytesMax)
  const body = growingBytes({ ...limits, expected: declared })
  const reader = request.body?.getReader()
  if (reader) await readInto(reader, body, limits)
  const bytes = body.bytes()
  if (declared !== undefined && bytes.length !== declared) throw cutOff()
  return bytes
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function readInto(reader: Reader, body: GrowingBytes, limits: BodyLimits): Promise<void> {
  const watch = limits.idle.begin()
  const left = rejectsOnAbort(limits.signal)
  try {
    // One race for the whole body: a race for each of its pieces would leave something behind for each.
    await Promise.race([takeAll(reader, body, watch), watch.expired, left.aborted])
  } catch (thrown) {
    // The rest is not read. Nobody waits for the caller to notice.
    reader.cancel().catch(() => undefined)
    throw thrown
  } finally {
    watch.stop()
    left.forget()
  }
}

function rejectsOnAbort(signal: AbortSignal): { aborted: Promise<never>; forget(): void } {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return { aborted, forget: () => signal.removeEventListener('abort', stop) }
}

async function takeAll(reader: Reader, body: GrowingBytes, watch: WatchedBody): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return
    watch.touch()
    body.add(value)
  }
}

type GrowingBytes = { add(chunk: Uint8Array): void; bytes(): Uint8Array }

const FIRST_BYTES = 16 * 1024

/** Room that doubles as bytes come, and is never larger than may be needed: a claim alone takes no memory. */
function growingBytes(limits: BodyLimits & { expected: number | undefined }): GrowingBytes {
  const { bytesMax, allowance, expected = bytesMax } = limits
  let room = new Uint8Array(0)
  let length = 0

  const grow = (needed: number): void => {
    const size = Math.min(bytesMax, Math.max(needed, Math.min(expected, Math.max(FIRST_BYTES, room.length * 2))))
    allowance.take(size - room.length)
    const larger = new Uint8Array(size)
    larger.set(room.subarray(0, length))
    room = larger
  }

  return {
    add(chunk) {
      const needed = length + chunk.length
      if (needed > bytesMax) throw tooLarge(bytesMax)
      if (needed > room.length) grow(needed)
      room.set(chunk, length)
      length = needed
    },
    bytes: () => room.subarray(0, length)
  }
}

function declaredLength(headers: Headers): number | undefined {
  const text = headers.get('content-length')
  if (text === null) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Fault('malformed_json', 'the Content-Length is no number of bytes')
}

function tooLarge(bytesMax: number): Fault {
  const message = `the body is over the limit of ${bytesMax} bytes`
  return new Fault('too_large', message, {
    hint: 'send less at a time (`memctl collections restore` does), or raise MEMCTL_BODY_LIMIT on the server'
  })
}

function brokenOff(cause: unknown): never {
  throw cutOff(cause)
}

function cutOff(cause?: unknown): Fault {
  return new Fault('malformed_json', 'the body broke off before its end', { cause, hint: 'send it again' })
}
