import { CALL_ROWS } from '../contract/endpoints/call-row.ts'
import type { EndpointName } from '../contract/endpoints/endpoints.ts'
import { Fault } from '../contract/faults.ts'
import type { Exchange, Fetch, PlainReply, PlainRequest } from '../ports.ts'
import { buildMessageRequest, buildRequest, toPlatformRequest } from './build-request.ts'
import { findAddressFault } from './build-service-url.ts'
import type { AnyInput, CallOptions, Client, ClientOptions, Methods, StreamOptions } from './client.ts'
import { type Patience, withPatience } from './patience.ts'
import { matchReply, readReply } from './read-reply.ts'
import { toUnreachableFault } from './to-unreachable-fault.ts'

export type ClientSettings = Omit<ClientOptions, 'fetch'> & {
  fetch: Fetch
  /** Used instead of `fetch` for calls that do not return the reply itself. */
  exchange?: Exchange | undefined
  /** Waits and repeats a call when the service requests it and repeating is safe. By default, no call is repeated. */
  patience?: Patience | undefined
  /** Converts a fault before a call rejects with it, for callers who know a better hint. */
  convertFault?: ((fault: Fault) => Fault | Promise<Fault>) | undefined
}

/** Makes any call and returns its value, or the reply with its body unread. */
type Call = (name: EndpointName, input: AnyInput, options: StreamOptions) => Promise<unknown>

/**
 * Creates a client of the service with a method for every endpoint. A call returns the value of its reply, validated
 * against the contract but otherwise unchanged, or rejects with a Fault: that of the service, `unreachable` if there is
 * no reply, or `broken_transfer` if the reply breaks off or is not from memctl.
 */
export function createClient(settings: ClientSettings): Client {
  const wrong = findAddressFault(settings.origin)
  if (wrong !== undefined)
    throw new Fault('usage', `the address of the server ${wrong}`, {
      hint: 'use an address such as http://127.0.0.1:8787'
    })
  const target = { address: settings.origin, key: normalizeKey(settings.key) }
  const fetch = createSender<Response>((request) => settings.fetch(toPlatformRequest(request)), settings)
  const exchange = settings.exchange === undefined ? fetch : createSender(settings.exchange, settings)

  const asking = (name: EndpointName, input: AnyInput, options: StreamOptions) => (signal: AbortSignal | undefined) =>
    buildRequest(target, CALL_ROWS[name], { ...options, input, signal })
  const call: Call = async (name, input, options) =>
    await readReply(CALL_ROWS[name], await exchange(options.signal, asking(name, input, options)))
  const stream: Call = async (name, input, options) => {
    const { response } = await matchReply(CALL_ROWS[name], await fetch(options.signal, asking(name, input, options)))
    return response
  }
  return {
    ...createMethods(createPatientCall(call, settings)),
    stream: async (name, input, options = {}) => {
      assertName(name)
      assertCall(name, input, options)
      return (await createPatientCall(stream, settings)(name, input as AnyInput, options)) as Response
    },
    send: async (message, options = {}) => {
      assertCallOptions('send', options)
      const sent = fetch(options.signal, (signal) => buildMessageRequest(target, { ...message, signal }))
      return await rethrowConverted(sent, settings.convertFault)
    }
  }
}

/** Adds waiting and the conversion of faults to a call. */
function createPatientCall(call: Call, { patience, convertFault }: ClientSettings): Call {
  const calling: Call =
    patience === undefined
      ? call
      : (name, input, options) => withPatience(patience, { name, input }, () => call(name, input, options))
  if (convertFault === undefined) return calling
  return (name, input, options) => rethrowConverted(calling(name, input, options), convertFault)
}

async function rethrowConverted<Value>(
  work: Promise<Value>,
  convertFault: ClientSettings['convertFault']
): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Fault && convertFault !== undefined ? await convertFault(error) : error
  }
}

/** Creates a method for every row of the table, which determines their types. */
function createMethods(call: Call): Methods {
  const names = Object.keys(CALL_ROWS) as EndpointName[]
  const methods = names.map((name) => {
    const method = async (input: AnyInput = {}, options: CallOptions = {}): Promise<unknown> => {
      assertCall(name, input, options)
      return await call(name, input, options)
    }
    return [name, method] as const
  })
  return Object.fromEntries(methods) as unknown as Methods
}

function assertName(name: string): void {
  if (Object.hasOwn(CALL_ROWS, name)) return
  throw new Fault('usage', `unknown client method '${name}'`, { hint: 'use a method of the client' })
}

type Sender<Reply> = (
  own: AbortSignal | undefined,
  make: (signal: AbortSignal | undefined) => PlainRequest
) => Promise<Reply>

/** Creates a function that sends requests and aborts on either signal. */
function createSender<Reply extends PlainReply>(
  send: (request: PlainRequest) => Promise<Reply>,
  { origin, signal }: ClientSettings
): Sender<Reply> {
  return async (own, make) => {
    const request = make(signal === undefined || own === undefined ? (own ?? signal) : AbortSignal.any([signal, own]))
    try {
      return await send(request)
    } catch (error) {
      throw toUnreachableFault(error, origin)
    }
  }
}

/**
 * Returns the key of a client as it is sent, without surrounding white space such as the line end of its file.
 * @throws Fault `usage` if no header can contain it. The message does not reveal the key.
 */
function normalizeKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const trimmed = typeof key === 'string' ? key.trim() : ''
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed
  throw new Fault('usage', 'invalid key: expected one word of printable ASCII characters', {
    hint: 'use a key as printed by memctl keys create'
  })
}

/**
 * Checks the arguments of a call, as far as a request requires it.
 * @throws Fault `usage`, which names the call and what it takes.
 */
function assertCall(name: string, input: unknown, options: unknown): void {
  if (!isObject(input))
    throw new Fault('usage', `the input of ${name} must be an object`, {
      hint: 'pass an object with the members params, query, body or lines, as the call requires'
    })
  if ('lines' in input && input.lines !== undefined && !areLines(input.lines))
    throw new Fault('usage', `the lines of ${name} must be bytes, or an async iterable of bytes`, {
      hint: 'use, for example, createReadStream from node:fs'
    })
  assertCallOptions(name, options)
}

/** Checks the options of a call. */
function assertCallOptions(name: string, options: unknown): void {
  if (!isObject(options))
    throw new Fault('usage', `the options of ${name} must be an object`, { hint: 'pass, for example, { signal }' })
  const { signal } = options
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new Fault('usage', `the signal of ${name} must be an AbortSignal`, {
      hint: 'use, for example, AbortSignal.timeout(1000)'
    })
}

function areLines(value: unknown): boolean {
  return value instanceof Uint8Array || (isObject(value) && Symbol.asyncIterator in value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
