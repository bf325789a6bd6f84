import type { CallRow } from '../contract/endpoints/call-row.ts'
import { Fault } from '../contract/faults.ts'
import type { PlainRequest } from '../ports.ts'
import { buildServiceUrl } from './build-service-url.ts'
import type { AnyInput, CallOptions, Lines, Message, StreamOptions } from './client.ts'

/** The address that requests go to, and the key sent with them. */
export type Target = { address: string; key: string | undefined }

/** Builds the request of a call. Throws a usage fault if a part of the path is missing. */
export function buildRequest(target: Target, row: CallRow, asked: StreamOptions & { input: AnyInput }): PlainRequest {
  const { input, accept = 'application/json', signal } = asked
  const url = buildServiceUrl(target.address, fillPath(row.path, input.params ?? {}))
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.append(name, String(value))
  const key = row.access === 'public' ? undefined : target.key
  const body = buildBody(row, input)
  const headers = buildHeaders({ accept, key, type: body?.type })
  return { url: url.href, method: row.method, headers, body: body?.content, signal }
}

/** Builds a request to any path. Throws a usage fault if the message has no method or path. */
export function buildMessageRequest(target: Target, message: Message & CallOptions): PlainRequest {
  const { method, path, body, headers: more, signal } = message
  if (typeof method !== 'string' || typeof path !== 'string')
    throw new Fault('usage', 'invalid request: expected a method and a path', {
      hint: "pass, for example, { method: 'GET', path: '/v1/collections' }"
    })
  const headers = { ...more, ...buildHeaders({ accept: '*/*', key: target.key, type: body?.type }) }
  return { url: buildServiceUrl(target.address, path).href, method, headers, body: body?.bytes, signal }
}

/**
 * Converts a request to the platform's type. Redirects are not followed, so that the key reaches no other address.
 * Throws a usage fault if the platform accepts no such request.
 */
export function toPlatformRequest({ url, method, headers, body, signal }: PlainRequest): Request {
  try {
    return new Request(url, { method, headers, redirect: 'manual', signal: signal ?? null, ...toBodyInit(body) })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Fault('usage', `cannot build the request: ${error.message}`, { cause: error })
  }
}

/** `fetch` requires half-duplex mode for a streamed body. */
function toBodyInit(body: PlainRequest['body']): RequestInit {
  if (body === undefined || body instanceof Uint8Array)
    return { body: body === undefined ? null : new Uint8Array(body) }
  return { body: ReadableStream.from(body), duplex: 'half' }
}

function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // Refuses segments of dots alone, which would change the path in any spelling.
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
    throw new Fault('usage', `invalid ${name} '${String(value ?? '')}'`, { hint: `give ${name} a non-empty value` })
  })
}

type Head = { accept: string; key: string | undefined; type: string | undefined }

function buildHeaders({ accept, key, type }: Head): PlainRequest['headers'] {
  return {
    accept,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(type !== undefined && { 'content-type': type })
  }
}

function buildBody(row: CallRow, { body, lines }: AnyInput): { type: string; content: Lines } | undefined {
  if (lines !== undefined) return { type: 'application/jsonl', content: lines }
  if (body === undefined) return undefined
  if (row.form) return { type: FORM_TYPE, content: toBytes(toFormText(body)) }
  return { type: 'application/json', content: toBytes(jsonText(body)) }
}

function jsonText(body: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(body)
    if (text !== undefined) return text
  } catch (cause) {
    throw createUnwritableFault(
      'it is cyclic, nested too deeply, or contains a value that JSON does not support',
      cause
    )
  }
  throw createUnwritableFault(`its type is ${typeof body}`)
}

function createUnwritableFault(why: string, cause?: unknown): Fault {
  return new Fault('malformed_json', `cannot convert the body to JSON: ${why}`, {
    hint: 'use only strings, numbers, booleans, null, arrays and plain objects',
    cause
  })
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

function toFormText(body: unknown): string {
  const fields = Object.entries(body as object).map(([name, value]): [string, string] => [name, String(value)])
  return String(new URLSearchParams(fields))
}
