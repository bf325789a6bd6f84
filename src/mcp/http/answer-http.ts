import { Buffer } from 'node:buffer'
import {
  createMcpHandler,
  isJSONRPCResponse,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server
} from '@modelcontextprotocol/server'
import type { RpcMessage } from '../../contract/endpoints/mcp.ts'
import { unlessAborted } from '../../contract/unless-aborted.ts'
import { answerLegacy } from './answer-legacy.ts'
import { acceptsEvents, answerError, type HttpAnswer, type HttpMessage, type RpcCall } from './http-answer.ts'

/**
 * Answers a message over Streamable HTTP, in both forms of the protocol. Nothing is kept between messages: `create`
 * makes a server for each, without subscriptions. The reply is a stream if the server sends something before its response
 * and the client accepts one. In revisions before 2026-07-28, the server may send requests in it, which are open until
 * the stream ends.
 *
 * @throws what the library reports if it fails, or the reason of the signal.
 */
export async function answerHttp(create: () => Server, message: HttpMessage): Promise<HttpAnswer> {
  const { headers, signal, caller, openRequests } = message
  const { method } = message.body
  if (method === undefined) {
    const isOpen = isJSONRPCResponse(message.body) && openRequests.answer(caller, message.body)
    return isOpen ? { status: 202, bytes: new Uint8Array() } : answerUnknown(message.body)
  }
  const body = { ...message.body, method }
  const request = new Request(ADDRESS, { method: 'POST', headers: chooseHeaders(headers), signal })
  const answering = (await isLegacyRequest(request, body))
    ? answerLegacy(create(), { ...message, body })
    : answerModern(create, request, { ...message, body })
  return await unlessAborted(answering, signal)
}

/** Without the id, which is one of the server. */
function answerUnknown({ id }: RpcMessage): HttpAnswer {
  const message = `No request with the id ${JSON.stringify(id)?.slice(0, 80)} waits for a response: its call has ended`
  return answerError(400, { code: ProtocolErrorCode.InvalidRequest, message })
}

/** Stands for the address of the request, which the library does not use. */
const ADDRESS = 'http://localhost/mcp'

/** Keeps the headers of the protocol. The key of the caller is not among them. */
function chooseHeaders(headers: Headers): Headers {
  const chosen = [...headers].filter(([name]) => name.startsWith('mcp-') && name !== 'mcp-session-id')
  return new Headers([
    ...chosen,
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json']
  ])
}

async function answerModern(
  create: () => Server,
  request: Request,
  { headers, body }: HttpMessage<RpcCall>
): Promise<HttpAnswer> {
  // The library would answer with a stream, even though no capability of the server announces changes.
  if (body.method === 'subscriptions/listen')
    return answerError(404, { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' }, body.id)
  let failure: Error | undefined
  const handler = createMcpHandler(create, {
    legacy: 'reject',
    keepAliveMs: 0,
    onerror: (error) => {
      failure = error
    }
  })
  const response = await handler.fetch(request, { parsedBody: body })
  const { status, body: stream } = response
  if (stream !== null && response.headers.get('content-type') === 'text/event-stream')
    // The library closes the server at the end of a stream, and when the client leaves.
    return acceptsEvents(headers) ? { stream } : { status, bytes: await readLastEvent(response) }
  await handler.close()
  if (status >= 500) throw failure ?? new Error(`the library for MCP replied with ${status}`)
  return { status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Returns the response at the end of a stream. The library could leave out the rest, but warns about that each time. */
async function readLastEvent(response: Response): Promise<Uint8Array> {
  const text = await response.text()
  return Buffer.from(text.slice(text.lastIndexOf(DATA) + DATA.length).trimEnd())
}

/** JSON contains no line breaks. */
const DATA = '\ndata: '
