import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Guid, Text } from '../plain-shapes.ts'

/** The id of a request of JSON-RPC, which its reply repeats. */
const RequestId = z.union([z.string(), z.int()])

/** An error of JSON-RPC 2.0. */
const RpcError = z.object({ code: z.int(), message: Text, data: z.unknown().optional() })

/** A request or notification of JSON-RPC 2.0, or the response to a request that the server sent in a stream. */
export type RpcMessage = z.output<typeof RpcMessage>
const RpcMessage = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: RequestId.optional().meta({ description: 'Absent in a notification.' }),
    method: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Absent in a response.', examples: ['tools/list'] }),
    params: z.looseObject({}).optional(),
    result: z.looseObject({}).optional().meta({ description: 'The result in a response.' }),
    error: RpcError.optional().meta({ description: 'The error in a response.' })
  })
  .refine(
    ({ method, result, error }) => [method, result, error].filter((member) => member !== undefined).length === 1,
    'needs exactly one of `method`, `result` and `error`'
  )
  .meta({ oneOf: ['method', 'result', 'error'].map((name) => ({ required: [name] })) })

/** A reply of JSON-RPC 2.0, which has either `result` or `error`. */
export type RpcReply = z.output<typeof RpcReply>
const RpcReply = z.object({
  jsonrpc: z.literal('2.0'),
  id: RequestId.nullable().optional(),
  result: z.looseObject({}).optional(),
  error: RpcError.optional()
})

const Switch = (usual: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(usual)
    .transform((text) => text === 'true')

/** Names of origins, separated by commas. */
const Origins = z
  .string()
  .max(2000)
  .default('')
  .transform((text) => text.split(',').filter((name) => name !== ''))

/** Limits on the length of an answer, in characters. */
const MAX_CHARS = { least: 1000, most: 1_000_000, usual: '12000' }

const MaxChars = z
  .string()
  .regex(/^[1-9]\d{3,6}$/, 'must be a whole number of at least 1000')
  .default(MAX_CHARS.usual)
  .transform(Number)
  .refine((value) => value <= MAX_CHARS.most, `must be at most ${MAX_CHARS.most}`)

const BODY_BYTES_MAX = 1 << 20

export const callMcp = defineEndpoint(
  {
    method: 'POST',
    path: '/mcp/{collection_id}',
    summary: 'Serve a collection to an assistant (Model Context Protocol)',
    about:
      'The address of a server of the Model Context Protocol over Streamable HTTP, for clients with a setting for the header `Authorization`. Supports revision 2026-07-28 and the older ones that open with `initialize`. A key with `read` permission can search, read and list; a key with `edit` permission can also store. There is no OAuth server for MCP. A body has at most 1 MiB.',
    access: 'read',
    params: z.strictObject({ collection_id: Guid }),
    query: z.strictObject({
      write: Switch('true').meta({ description: '`false` omits the tool that stores, whatever the key permits.' }),
      forget: Switch('false').meta({
        description: '`true` adds the tool that forgets memories, if the key has `edit` permission.'
      }),
      only_origin: Origins.meta({
        description: 'Show only memories from these providers, formats, files or clients, separated by commas.'
      }),
      exclude_origin: Origins.meta({ description: 'Hide memories from these origins, such as `mailbox`.' }),
      max_chars: MaxChars.meta({ description: 'The maximum length of an answer.' }),
      structured: Switch('false').meta({ description: '`true` sends answers as `structuredContent` as well.' })
    }),
    body: { json: RpcMessage, bytesMax: BODY_BYTES_MAX },
    replies: [
      {
        status: 200,
        about:
          'The result of the request, or its error. If the client accepts `text/event-stream` and the server sends messages before the result, they are events of a stream that ends with the result. The reply to `initialize` has the header `Mcp-Session-Id`, with which later messages name the client.',
        json: RpcReply,
        events: true
      },
      { status: 202, about: 'The notification or response was received. The body is empty.' }
    ],
    refusals: [
      { status: 400, about: 'The protocol does not allow the request: an error of JSON-RPC.', json: RpcReply },
      { status: 404, about: 'The method does not exist: an error of JSON-RPC.', json: RpcReply }
    ],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)
