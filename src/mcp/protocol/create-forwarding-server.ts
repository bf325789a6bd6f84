import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext
} from '@modelcontextprotocol/server'
import { answerFault, CAPABILITIES, findClient, INSTRUCTIONS, toInternalError } from './create-mcp-server.ts'

/** A message for the endpoint of a server. `headers` are those that the protocol requires. */
export type ForwardedMessage = { headers: Readonly<Record<string, string>>; body: unknown; signal: AbortSignal }

/** The reply of the endpoint: a result, or an error of JSON-RPC. */
export type ForwardedReply = {
  result?: Readonly<Record<string, unknown>>
  error?: { code: number; message: string; data?: unknown }
}

export type ForwardingSettings = {
  version: string
  /** Sends a message to the endpoint. Rejects with a Fault if it cannot be reached or refuses the message. */
  send(message: ForwardedMessage): Promise<ForwardedReply>
  onBug(error: unknown): void
}

/** The methods that are forwarded, with the member of their parameters that a header repeats. */
const METHODS = {
  'tools/list': undefined,
  'tools/call': 'name',
  'resources/list': undefined,
  'resources/templates/list': undefined,
  'resources/read': 'uri',
  'prompts/list': undefined,
  'prompts/get': 'name'
} as const

type Forwarded = keyof typeof METHODS

/**
 * Creates a server that forwards every request to the endpoint of a memctl server, in the stateless form of the
 * protocol, whichever form its own client uses.
 */
export function createForwardingServer(settings: ForwardingSettings): Server {
  const { version } = settings
  const server = new Server(
    { name: 'memctl', title: 'memctl', version },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS }
  )
  // The library's types connect each method with its result, which the endpoint built from the same types.
  for (const method of Object.keys(METHODS) as Forwarded[])
    server.setRequestHandler(
      method,
      ({ params }, context) => forward(settings, server, { method, params, context }) as never
    )
  return server
}

type Request = { method: Forwarded; params: unknown; context: ServerContext }

async function forward(
  settings: ForwardingSettings,
  server: Server,
  { method, params, context }: Request
): Promise<Readonly<Record<string, unknown>>> {
  const given = { ...(params as Readonly<Record<string, unknown>> | undefined) }
  const member = METHODS[method]
  const headers = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(member !== undefined && { 'mcp-name': readName(given[member]) })
  }
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: REVISION,
    [CLIENT_INFO_META_KEY]: { name: findClient(server, context), version: settings.version },
    [CLIENT_CAPABILITIES_META_KEY]: {}
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...given, _meta } }
  const reply = await settings
    .send({ headers, body, signal: context.mcpReq.signal })
    .catch((error: unknown): ForwardedReply => {
      if (method !== 'tools/call') throw toInternalError(error, settings.onBug)
      return { result: answerFault(error, settings.onBug) }
    })
  if (reply.error !== undefined) throw new ProtocolError(reply.error.code, reply.error.message, reply.error.data)
  // These members belong to the exchange with the endpoint; the library adds those of this one.
  const { _meta: _m, resultType: _r, ttlMs: _t, cacheScope: _c, ...result } = reply.result ?? {}
  return result
}

const REVISION = '2026-07-28'

/** A header contains printable ASCII, and so do all names of memctl. */
function readName(name: unknown): string {
  if (typeof name === 'string' && /^[\x21-\x7e]{1,200}$/.test(name)) return name
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown name: ${JSON.stringify(name)?.slice(0, 80)}`)
}
