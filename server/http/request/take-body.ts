/*
 * The body limit of hono was rejected: it trusts the declared length, waits for a slow sender without limit, and has no
 * limit for all bodies together.
 */

import { Buffer } from 'node:buffer'
import type { Body } from '../../../src/contract/endpoint.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { unlessAborted } from '../../../src/contract/unless-aborted.ts'
import { describeJsonFault, parseJson } from '../../../src/snapshot/json/json.ts'
import type { SnapshotBytes, SnapshotEngine } from '../../recall/engine/engine.ts'
import type { Allowance } from './body-budget.ts'
import { type BodyForm, chooseForm } from './body-form.ts'
import type { HttpSettings } from './http-settings.ts'
import type { IdleWatch, WatchedBody } from './idle-watch.ts'
import type { RequestContext } from './request-context.ts'
import { type Schema, validateInput } from './validate-input.ts'

type TakeParts = {
  engine: Pick<SnapshotEngine, 'readBody'>
  settings: Pick<HttpSettings, 'bodyBytesMax'>
  idle: IdleWatch
}

type TakenBody = { body: unknown; snapshot: SnapshotBytes | undefined }

const NOTHING: TakenBody = { body: undefined, snapshot: undefined }

/** The maximum size of a form in bytes. */
const FORM_BYTES_MAX = 64 * 1024

/**
 * Reads and validates the body of a request, and extracts the snapshot in it.
 *
 * @throws Fault like `detectForm`, `readBody`, `parseBody` and `validateInput`.
 */
export async function takeBody(
  parts: TakeParts,
  row: Body | undefined,
  { requestContext, allowance }: { requestContext: RequestContext; allowance: Allowance }
): Promise<TakenBody> {
  if (!row) return NOTHING
  const { request } = requestContext
  // Whether an optional body is present is known only after reading, because not every client sends its length.
  const told = row.optional ? undefined : chooseForm(request.headers, row)
  const bodyBytesMax = Math.min(parts.settings.bodyBytesMax, row.bytesMax ?? Infinity)
  const bytesMax = told === 'form' ? Math.min(FORM_BYTES_MAX, bodyBytesMax) : bodyBytesMax
  const bytes = await readBody(request, { bytesMax, idle: parts.idle, allowance, signal: requestContext.signal })
  requestContext.bytesIn = bytes.length
  if (row.optional && bytes.length === 0) return NOTHING
  return await parseTaken(parts, row, { bytes, form: told ?? chooseForm(request.headers, row) })
}

type Read = { bytes: Uint8Array; form: BodyForm }

async function parseTaken({ engine }: TakeParts, row: Body, { bytes, form }: Read): Promise<TakenBody> {
  if (form === 'form' && row.form)
    return { body: validateInput(row.form, parseForm(bytes), 'the form'), snapshot: undefined }
  if (form === 'lines' || !row.json) {
    return { body: undefined, snapshot: { bytes, from: 0, to: bytes.length, form: 'jsonl' } }
  }
  const { value, snapshot } = await parseBody(bytes, row, engine)
  return {
    body: validateInput(row.json as Schema, snapshot ? withoutRecords(value) : value, 'the body'),
    snapshot
  }
}

/** The engine validates the records, so the schema sees an empty list. */
function withoutRecords(value: unknown): unknown {
  const body = value as { snapshot: object }
  return { ...body, snapshot: { ...body.snapshot, records: [] } }
}

type BodyLimits = {
  bytesMax: number
  idle: IdleWatch
  allowance: Allowance
  /** Aborted when the client has disconnected, which not every body stream reports. */
  signal: AbortSignal
}

/**
 * Reads all bytes of a body into memory of their own, which can be moved to a thread.
 *
 * @throws Fault `too_large` before more than the limit is read, `timed_out` if no data arrives for too long,
 * `unavailable` if other bodies use the whole budget, `malformed_json` if the body is cut off.
 */
async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const declared = readDeclaredLength(request.headers)
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
  try {
    // One race for the whole body: a race for each chunk would leave a pending promise for each.
    await unlessAborted(Promise.race([takeAll(reader, body, watch), watch.expired]), limits.signal)
  } catch (thrown) {
    // The rest is not read, and the cancellation is not awaited.
    reader.cancel().catch(() => undefined)
    throw thrown
  } finally {
    watch.stop()
  }
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

/**
 * Returns a buffer that doubles as bytes arrive and is never larger than necessary, so that a declared length alone
 * takes no memory.
 */
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

function readDeclaredLength(headers: Headers): number | undefined {
  const text = headers.get('content-length')
  if (text === null) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Fault('malformed_json', 'invalid Content-Length: expected a number of bytes')
}

function tooLarge(bytesMax: number): Fault {
  const message = `the body exceeds the limit of ${bytesMax} bytes`
  return new Fault('too_large', message, {
    hint: 'send it in smaller parts (as `memctl collections restore` does), or raise MEMCTL_BODY_LIMIT on the server'
  })
}

function brokenOff(cause: unknown): never {
  throw cutOff(cause)
}

function cutOff(cause?: unknown): Fault {
  return new Fault('malformed_json', 'the body ended before its declared length', {
    cause,
    hint: 'send the request again'
  })
}

type ParsedBody = { value: unknown; snapshot: SnapshotBytes | undefined }

/**
 * The maximum size of a body that is parsed on this thread, which takes a millisecond or two. A thread of the engine
 * parses larger ones.
 */
const SMALL_BYTES_MAX = 256 * 1024

/**
 * Parses a JSON body, and extracts its snapshot if the row has one.
 *
 * @throws Fault `malformed_json`
 */
async function parseBody(
  bytes: Uint8Array,
  { holdsSnapshot }: Body,
  engine: Pick<SnapshotEngine, 'readBody'>
): Promise<ParsedBody> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > SMALL_BYTES_MAX || (holdsSnapshot && buffer.includes('snapshot'))) return engine.readBody(bytes)
  const parsed = parseJson(buffer)
  if ('fault' in parsed) {
    throw new Fault('malformed_json', `the body ${describeJsonFault(parsed.fault)}`, {
      hint: 'send one JSON value in UTF-8'
    })
  }
  // The name can contain escapes.
  if (holdsSnapshot && hasSnapshot(parsed.value)) return engine.readBody(bytes)
  return { value: parsed.value, snapshot: undefined }
}

function hasSnapshot(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'snapshot')
}

/**
 * Parses the fields of a form (`application/x-www-form-urlencoded`) by name.
 *
 * @throws Fault `invalid_input` if a field is repeated or the text is not UTF-8.
 */
function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields = [...new URLSearchParams(decode(bytes))]
  const names = fields.map(([name]) => name)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw unsound(`has a repeated field: ${JSON.stringify(repeated.slice(0, 100))}`)
  // They become own members, even a name such as `__proto__`.
  return Object.fromEntries(fields)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unsound('is not UTF-8')
  }
}

function unsound(why: string): Fault {
  return new Fault('invalid_input', `the form ${why}`, { hint: 'submit the form on the page that shows it' })
}
