import { Buffer } from 'node:buffer'
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { acceptsEvents, answerError, type HttpAnswer, type HttpMessage, type RpcCall } from './http-answer.ts'

/**
 * Answers a message of the revisions before 2026-07-28. The reply to `initialize` names a session, whose id is what the
 * client said about itself, so that the server keeps nothing between messages.
 */
export async function answerLegacy(server: Server, message: HttpMessage<RpcCall>): Promise<HttpAnswer> {
  const { headers, body } = message
  const opens = body.method === 'initialize'
  const sessionId = opens ? null : headers.get('mcp-session-id')
  const session = sessionId === null ? undefined : parseSessionId(sessionId)
  if (sessionId !== null && session === undefined)
    return answerError(404, { code: SESSION_NOT_FOUND, message: 'Session not found: send `initialize` again' })
  const revision = headers.get('mcp-protocol-version')
  if (!opens && revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
    return answerError(400, { code: BAD_REQUEST, message: `Unsupported protocol version (supported: ${known})` })
  }
  const exchange = createExchange(server, message)
  await server.connect(exchange.transport)
  if (session) await exchange.deliver({ jsonrpc: '2.0', id: 0, method: 'initialize', params: session })
  if (body.id === undefined) {
    exchange.notify(body)
    await server.close()
    return { status: 202, bytes: new Uint8Array() }
  }
  const first = await exchange.deliver({ ...body, id: body.id })
  if (first instanceof ReadableStream) return { stream: first }
  await server.close()
  const made = opens && 'result' in first ? makeSessionId(body.params) : undefined
  return {
    status: 200,
    bytes: Buffer.from(JSON.stringify(first)),
    ...(made !== undefined && { headers: { 'mcp-session-id': made } })
  }
}

/** Codes that the libraries of the protocol use, too. */
const BAD_REQUEST = -32_000
const SESSION_NOT_FOUND = -32_001

const NAME_CHARACTERS_MAX = 60
const SESSION_ID_CHARACTERS_MAX = 2000

const Name = z.string().transform((text) => text.slice(0, NAME_CHARACTERS_MAX))

/** Drops the members of an object. */
const Flag = z.object({}).optional()

/** The parameters of `initialize` that matter for later messages. A client may invent them, as it may in `initialize`. */
const Session = z.object({
  protocolVersion: z.string().max(NAME_CHARACTERS_MAX),
  clientInfo: z.object({ name: Name, version: Name }),
  capabilities: z.object({
    sampling: z.object({ context: Flag, tools: Flag }).optional(),
    elicitation: z.object({ form: Flag, url: Flag }).optional(),
    roots: Flag
  })
})

type Session = z.output<typeof Session>

function makeSessionId(params: unknown): string | undefined {
  const { success, data } = Session.safeParse(params)
  return success ? Buffer.from(JSON.stringify(data)).toString('base64url') : undefined
}

/** Returns undefined unless `makeSessionId` could have made the id. */
function parseSessionId(id: string): Session | undefined {
  if (id.length > SESSION_ID_CHARACTERS_MAX) return undefined
  try {
    const session = Session.parse(JSON.parse(Buffer.from(id, 'base64url').toString()))
    return makeSessionId(session) === id ? session : undefined
  } catch {
    return undefined
  }
}

/** What the server sends first for a message: its response, or a stream that ends with the response. */
type First = JSONRPCResponse | ReadableStream<Uint8Array>

type Exchange = {
  transport: Transport
  /** Resolves with what the server sends first. Never resolves if the server is closed before. */
  deliver(request: JSONRPCMessage): Promise<First>
  notify(notification: RpcCall): void
}

/**
 * Creates the transport for one message. Messages that the server sends before its response turn the reply into a
 * stream of events, if the client accepts it. They wait until the client has read the previous one.
 */
function createExchange(server: Server, { headers, caller, openRequests, signal }: HttpMessage): Exchange {
  const isStreamed = acceptsEvents(headers)
  const asked = new Set<string>()
  let settle = (_: First): void => undefined
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  const close = (): void => void server.close()

  const write = async (message: JSONRPCMessage): Promise<void> => {
    if (writer === undefined) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      writer = writable.getWriter()
      // Rejects if the client leaves.
      writer.closed.catch(close)
      settle(readable)
    }
    await writer.write(Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`)).catch(close)
  }
  const transport: Transport = {
    start: async () => undefined,
    async send(message) {
      if (isJSONRPCResponse(message)) {
        if (writer === undefined) return settle(message)
        await write(message)
        await writer.close().catch(close)
        close()
      } else if (isJSONRPCRequest(message)) {
        if (!isStreamed) throw new Error('the client accepts no stream, in which the server could send a request')
        const id = openRequests.open(caller, (response) => transport.onmessage?.({ ...response, id: message.id }))
        asked.add(id)
        await write({ ...message, id })
      } else if (isStreamed) await write(message)
    },
    async close() {
      signal.removeEventListener('abort', close)
      for (const id of asked) openRequests.close(id)
      writer?.abort().catch(() => undefined)
      transport.onclose?.()
    }
  }
  signal.addEventListener('abort', close)
  return {
    transport,
    deliver: (request) =>
      new Promise((resolve) => {
        settle = resolve
        transport.onmessage?.(request)
      }),
    notify: (notification) => transport.onmessage?.({ ...notification, jsonrpc: '2.0' })
  }
}
