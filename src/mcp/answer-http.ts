import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import { unlessAborted } from '../contract/unless-aborted.ts'
import { createMcpServer, type McpSettings } from './protocol/create-mcp-server.ts'

/** A message of the protocol that was sent by HTTP. `body` is its JSON. */
export type HttpMessage = { headers: Headers; body: RpcMessage; signal: AbortSignal }

type RpcMessage = { id?: string | number | undefined; method: string }

/** The reply, whose body is JSON or, for a notification, empty. */
export type HttpAnswer = { status: number; bytes: Uint8Array }

/**
 * Answers a message over Streamable HTTP, in both forms of the protocol. Nothing is kept between messages: each gets a
 * server of its own, without sessions, streams or subscriptions.
 *
 * @throws what the library reports if it fails, or the reason of the signal.
 */
export async function answerHttp(settings: McpSettings, { headers, body, signal }: HttpMessage): Promise<HttpAnswer> {
  const request = new Request(ADDRESS, { method: 'POST', headers: chooseHeaders(headers), signal })
  const isLegacy = await isLegacyRequest(request, body)
  const answering = (isLegacy ? answerLegacy : answerModern)(settings, request, body)
  const response = await unlessAborted(answering, signal)
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Stands for the address of the request, which the library does not use. */
const ADDRESS = 'http://localhost/mcp'

/** Keeps the headers of the protocol. The key of the caller is not among them. Replies are JSON, whatever is accepted. */
function chooseHeaders(headers: Headers): Headers {
  const chosen = [...headers].filter(([name]) => name.startsWith('mcp-') && name !== 'mcp-session-id')
  return new Headers([
    ...chosen,
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json']
  ])
}

async function answerModern(settings: McpSettings, request: Request, parsedBody: RpcMessage): Promise<Response> {
  if (parsedBody.method === 'subscriptions/listen') return answerMethodNotFound(parsedBody)
  let failure: Error | undefined
  const handler = createMcpHandler(() => createMcpServer(settings), {
    legacy: 'reject',
    onerror: (error) => {
      failure = error
    }
  })
  try {
    const response = await handler.fetch(request, { parsedBody })
    if (response.status >= 500) throw failure ?? new Error(`the library for MCP replied with ${response.status}`)
    return response
  } finally {
    await handler.close()
  }
}

/** The library would answer a subscription with a stream, even though no capability of the server announces changes. */
function answerMethodNotFound({ id }: RpcMessage): Response {
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' }
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status: 404 })
}

/** Answers a message of the revisions before 2026-07-28. Unlike the library's own fallback, always with JSON. */
async function answerLegacy(settings: McpSettings, request: Request, parsedBody: RpcMessage): Promise<Response> {
  const server: Server = createMcpServer(settings)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
