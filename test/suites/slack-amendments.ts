/** The used parts of a Swagger document. */
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
 * Amends Slack's description, which is from 2020 and no longer maintained
 * (https://github.com/slackapi/slack-api-specs). Adds what its pages document since then, or what the description
 * omits, each with its page. Nothing else may differ.
 */
export function amend(document: SlackDocument): SlackDocument {
  amendMessages(document)
  amendPages(document)
  for (const [path, codes] of Object.entries(ERRORS)) amendErrors(document, path, codes)
  for (const path of Object.keys(ERRORS)) amendErrors(document, path, ERRORS_OF_ALL)
  amendTokens(document)
  return document
}

/**
 * Adds `edited` and `hidden` (https://docs.slack.dev/reference/events/message), and the members of attachments and
 * files; threads have the same messages as channels.
 */
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
  Object.assign((message?.properties?.attachments?.items as Schema | undefined)?.properties ?? {}, ATTACHMENT)
  Object.assign(definitions.objs_file?.properties ?? {}, FILE)
  const thread = messagesOf(paths['/conversations.replies']?.get)
  const items = thread?.items as Schema | undefined
  if (Array.isArray(items?.items)) items.items.push({ $ref: '#/definitions/objs_message' })
}

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments, and those of forwarded messages. */
const ATTACHMENT: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    ['ts', 'author_id', 'author_name', 'channel_id', 'title', 'text', 'footer'].map((name) => [
      name,
      { type: 'string' }
    ])
  ),
  is_msg_unfurl: { type: 'boolean' },
  is_share: { type: 'boolean' },
  fields: { type: 'array', items: { type: 'object' } }
}

/** https://docs.slack.dev/reference/objects/file-object */
const FILE: Readonly<Record<string, Schema>> = {
  lines: { type: 'integer' },
  lines_more: { type: 'integer' },
  preview_is_truncated: { type: 'boolean' }
}

/**
 * Adds `response_metadata` to https://docs.slack.dev/reference/methods/conversations.history and conversations.replies,
 * as in the description's own examples. A channel may have no message in a range.
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

/** The common errors of all methods: https://docs.slack.dev/reference/methods/conversations.info, under Errors. */
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
  '/bots.info': [],
  '/conversations.history': ['invalid_cursor', 'invalid_limit'],
  '/conversations.info': [],
  '/conversations.list': ['invalid_cursor', 'invalid_limit', 'invalid_types'],
  '/conversations.members': [],
  '/conversations.replies': ['invalid_cursor', 'invalid_limit', 'invalid_ts_latest', 'invalid_ts_oldest'],
  '/users.info': [],
  '/users.list': ['invalid_limit']
}

/**
 * Adds refresh tokens instead of a code (https://docs.slack.dev/authentication/using-token-rotation). Tokens are sent
 * in a header.
 */
function amendTokens({ paths }: SlackDocument): void {
  const access = paths['/oauth.v2.access']?.get?.parameters ?? []
  for (const parameter of access) parameter.required = false
  for (const name of ['grant_type', 'refresh_token']) access.push({ name, in: 'query', type: 'string' })
  for (const { get } of Object.values(paths))
    for (const parameter of get?.parameters ?? []) if (parameter.name === 'token') parameter.required = false
}
