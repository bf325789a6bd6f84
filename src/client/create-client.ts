import { CALL_ROWS } from '../contract/call-row.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { Fault } from '../contract/faults.ts'
import type { Exchange, Fetch, PlainReply, PlainRequest } from '../ports.ts'
import type { AnyInput, CallOptions, Client, ClientOptions, Methods, StreamOptions } from './client.ts'
import { type Patience, withPatience } from './patience.ts'
import { replyOf, successOf } from './reply-of.ts'
import { platformRequest, requestOf, requestOfMessage } from './request-of.ts'
import { addressFault } from './service-address.ts'
import { testCall, testCallOptions, testKey } from './test-call.ts'
import { unreachableFault } from './unreachable-fault.ts'

export type ClientSettings = Omit<ClientOptions, 'fetch'> & {
  fetch: Fetch
  /** In place of `fetch` where nobody is given the reply itself. */
  exchange?: Exchange | undefined
  /** Waits and asks again where the service says when, and asking again does no harm. Absent: nobody waits. */
  patience?: Patience | undefined
  /** What becomes of a fault before a call rejects with it: for who knows better what mends it. */
  mend?: ((fault: Fault) => Fault | Promise<Fault>) | undefined
}

/** Any call, as it is made: its value, or the reply with its body unread. */
type Call = (name: EndpointName, input: AnyInput, options: StreamOptions) => Promise<unknown>

/**
 * A client of the service, with a method for every endpoint. A call gives the value of its reply, checked against the
 * contract and otherwise as it came, or rejects with a Fault: that of the service, `unreachable` where there is no
 * answer, `broken_transfer` where it breaks off or is no answer of memctl.
 */
export function createClient(settings: ClientSettings): Client {
  const wrong = addressFault(settings.origin)
  if (wrong !== undefined) throw new Fault('usage', `the address of the server ${wrong}`)
  const target = { address: settings.origin, key: testKey(settings.key) }
  const fetch = sender<Response>((request) => settings.fetch(platformRequest(request)), settings)
  const exchange = settings.exchange === undefined ? fetch : sender(settings.exchange, settings)

  const asking = (name: EndpointName, input: AnyInput, options: StreamOptions) => (signal: AbortSignal | undefined) =>
    requestOf(target, CALL_ROWS[name], { ...options, input, signal })
  const call: Call = async (name, input, options) =>
    await replyOf(CALL_ROWS[name], await exchange(options.signal, asking(name, input, options)))
  const stream: Call = async (name, input, options) => {
    const { response } = await successOf(CALL_ROWS[name], await fetch(options.signal, asking(name, input, options)))
    return response
  }
  return {
    ...methodsOf(patient(call, settings)),
    stream: async (name, input, options = {}) => {
      testName(name)
      testCall(name, input, options)
      return (await patient(stream, settings)(name, input as AnyInput, options)) as Response
    },
    send: async (message, options = {}) => {
      testCallOptions('send', options)
      const sent = fetch(options.signal, (signal) => requestOfMessage(target, { ...message, signal }))
      return await mended(sent, settings.mend)
    }
  }
}

/** A call that waits as long as its caller has patience, and whose faults are mended. */
function patient(call: Call, { patience, mend }: ClientSettings): Call {
  const calling: Call =
    patience === undefined
      ? call
      : (name, input, options) => withPatience(patience, { name, input }, () => call(name, input, options))
  if (mend === undefined) return calling
  return (name, input, options) => mended(calling(name, input, options), mend)
}

async function mended<Value>(work: Promise<Value>, mend: ClientSettings['mend']): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Fault && mend !== undefined ? await mend(error) : error
  }
}

/** The types of the methods are those of the table, which is where the names come from too. */
function methodsOf(call: Call): Methods {
  const names = Object.keys(CALL_ROWS) as EndpointName[]
  const methods = names.map((name) => {
    const method = async (input: AnyInput = {}, options: CallOptions = {}): Promise<unknown> => {
      testCall(name, input, options)
      return await call(name, input, options)
    }
    return [name, method] as const
  })
  return Object.fromEntries(methods) as unknown as Methods
}

function testName(name: string): void {
  if (Object.hasOwn(CALL_ROWS, name)) return
  throw new Fault('usage', `the client has no call '${name}'`, { hint: 'calls have the names of its methods' })
}

type Sender<Reply> = (
  own: AbortSignal | undefined,
  make: (signal: AbortSignal | undefined) => PlainRequest
) => Promise<Reply>

/** Sends requests so that either signal ends them. */
function sender<Reply extends PlainReply>(
  send: (request: PlainRequest) => Promise<Reply>,
  { origin, signal }: ClientSettings
): Sender<Reply> {
  return async (own, make) => {
    const request = make(signal === undefined || own === undefined ? (own ?? signal) : AbortSignal.any([signal, own]))
    try {
      return await send(request)
    } catch (error) {
      throw unreachableFault(error, origin)
    }
  }
}
