/** What of a Swagger document is used here. */
export type Schema = {
  type?: string | string[]
  items?: Schema | Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  enum?: unknown[]
  minItems?: number
  required?: string[]
  $ref?: string
  [other: string]: unknown
}

export type Parameter = { name: string; in: string; type?: string; required?: boolean }

export type SlackDocument = {
  paths: Record<string, { get?: Operation; post?: Operation }>
  definitions: Record<string, Schema>
}

export type Operation = { parameters: Parameter[]; responses: { 200: Reply; default: Reply } }

type Reply = { schema: Schema }

/**
 * Slack's description is of 2020 and is not kept up (https://github.com/slackapi/slack-api-specs). What its pages say since
 * then, or said already and the description left out, each with its page. Nothing else may differ.
 */
export function amend(document: SlackDocument): SlackDocument {
  amendMessages(document)
  amendPages(document)
  for (const [path, codes] of Object.entries(ERRORS)) amendErrors(document, path, codes)
  for (const path of Object.keys(ERRORS)) amendErrors(document, path, ERRORS_OF_ALL)
  amendTokens(document)
  return document
}

/** https://docs.slack.dev/reference/events/message: `edited` and `hidden`; threads have the same messages as channels. */
function amendMessages({ definitions, paths }: SlackDocument): void {
  const message = definitions.objs_message
  Object.assign(message?.properties ?? {}, {
    edited: {
      type: 'object',
      properties: { user: { type: 'string' }, ts: { $ref: '#/definitions/defs_ts' } },
      required: ['user', 'ts']
    },
    hidden: { type: 'boolean' }
  })
  const thread = messagesOf(paths['/conversations.replies']?.get)
  const items = thread?.items as Schema | undefined
  if (Array.isArray(items?.items)) items.items.push({ $ref: '#/definitions/objs_message' })
}

/**
 * https://docs.slack.dev/reference/methods/conversations.history and conversations.replies: both have `response_metadata`, as in
 * the description's own examples; a channel may have no message in a range.
 */
function amendPages({ paths }: SlackDocument): void {
  for (const path of ['/conversations.history', '/conversations.replies']) {
    const operation = paths[path]?.get
    const { properties = {} } = operation?.responses[200].schema ?? {}
    properties.response_metadata = { $ref: '#/definitions/objs_response_metadata' }
    const messages = messagesOf(operation)
    if (messages !== undefined) messages.minItems = 0
  }
}

function messagesOf(operation: Operation | undefined): Schema | undefined {
  return operation?.responses[200].schema.properties?.messages
}

function amendErrors({ paths }: SlackDocument, path: string, codes: readonly string[]): void {
  const error = paths[path]?.get?.responses.default.schema.properties?.error
  if (error !== undefined) error.enum = [...new Set([...(error.enum ?? []), ...codes])]
}

/** https://docs.slack.dev/reference/methods/conversations.info, under Errors, which all methods have in common. */
const ERRORS_OF_ALL = [
  'access_denied',
  'fatal_error',
  'internal_error',
  'ratelimited',
  'service_unavailable',
  'token_expired',
  'token_revoked',
  'missing_scope'
]

/** The page of each method, under Errors. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  '/auth.test': [],
  '/auth.revoke': [],
  '/conversations.history': ['invalid_cursor', 'invalid_limit'],
  '/conversations.info': [],
  '/conversations.list': ['invalid_cursor', 'invalid_limit', 'invalid_types'],
  '/conversations.members': [],
  '/conversations.replies': ['invalid_cursor', 'invalid_limit', 'invalid_ts_latest', 'invalid_ts_oldest'],
  '/users.info': [],
  '/users.list': ['invalid_limit']
}

/** https://docs.slack.dev/authentication/using-token-rotation: a refresh token in place of a code. Tokens go in a header. */
function amendTokens({ paths }: SlackDocument): void {
  const access = paths['/oauth.v2.access']?.get?.parameters ?? []
  for (const parameter of access) parameter.required = false
  for (const name of ['grant_type', 'refresh_token']) access.push({ name, in: 'query', type: 'string' })
  for (const { get } of Object.values(paths))
    for (const parameter of get?.parameters ?? []) if (parameter.name === 'token') parameter.required = false
}
