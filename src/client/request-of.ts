import type { Endpoint } from '../contract/endpoint.ts'
import { Fault } from '../contract/faults.ts'
import type { AnyInput, CallOptions, Lines, Message, StreamOptions } from './client.ts'
import { serviceUrl } from './service-address.ts'

/** Where requests go, and the key that goes with them. */
export type Target = { address: string; key: string | undefined }

/** The request of a call. Throws a usage fault where a part of the path is missing. */
export function requestOf(target: Target, row: Endpoint, asked: StreamOptions & { input: AnyInput }): Request {
  const { input, accept = 'application/json', signal } = asked
  const url = serviceUrl(target.address, filledPath(row.path, input.params ?? {}))
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.append(name, String(value))
  const key = row.access === 'public' ? undefined : target.key
  const body = bodyOf(row, input)
  return new Request(url, {
    ...PLAIN,
    method: row.method,
    headers: headersOf({ accept, key, type: body?.type }),
    signal: signal ?? null,
    ...body?.init
  })
}

/** The request of a message to any path. */
export function requestOfMessage(target: Target, message: Message & CallOptions): Request {
  const { method, path, body, signal } = message
  return new Request(serviceUrl(target.address, path), {
    ...PLAIN,
    method,
    headers: headersOf({ accept: '*/*', key: target.key, type: body?.type }),
    signal: signal ?? null,
    body: body === undefined ? null : new Uint8Array(body.bytes)
  })
}

/** Nobody follows a redirect with a key in hand. */
const PLAIN: RequestInit = { redirect: 'manual' }

function filledPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // Dots alone would be steps through the path, however they are written.
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
    throw new Fault('usage', `'${String(value ?? '')}' is no ${name}`, { hint: `give ${name} a value` })
  })
}

function headersOf(given: { accept: string; key: string | undefined; type: string | undefined }): Headers {
  const headers = new Headers({ accept: given.accept })
  if (given.key !== undefined) headers.set('authorization', `Bearer ${given.key}`)
  if (given.type !== undefined) headers.set('content-type', given.type)
  return headers
}

function bodyOf(row: Endpoint, { body, lines }: AnyInput): { type: string; init: RequestInit } | undefined {
  if (lines !== undefined) return { type: 'application/jsonl', init: linesInit(lines) }
  if (body === undefined) return undefined
  if (row.body?.form !== undefined) return { type: FORM_TYPE, init: { body: formText(body) } }
  return { type: 'application/json', init: { body: JSON.stringify(body) } }
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

function formText(body: unknown): string {
  const fields = Object.entries(body as object).map(([name, value]): [string, string] => [name, String(value)])
  return String(new URLSearchParams(fields))
}

/** A stream goes out while nothing comes in, which has to be said. */
function linesInit(lines: Lines): RequestInit {
  if (lines instanceof Uint8Array) return { body: new Uint8Array(lines) }
  return { body: ReadableStream.from(lines), duplex: 'half' }
}
