import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Fetch } from '../../src/ports.ts'
import { amend, type Operation, type Schema, type SlackDocument } from './slack-amendments.ts'

export type SlackDescription = {
  /** Names of all methods, such as `conversations.list`. */
  operations: string[]
  /** Returns deviations of a request and its reply from the description. */
  complaints(request: Request, reply: Response): Promise<string[]>
}

const FILE = '../shared/fixtures/slack-openapi/slack_web_openapi_v2.json'

/** Reads Slack's published description with the amendments, or returns undefined if the shared fixtures are missing. */
export function slackDescription(): SlackDescription | undefined {
  if (!existsSync(FILE)) return undefined
  const document = amend(JSON.parse(readFileSync(FILE, 'utf8')) as SlackDocument)
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  const definitions = Object.fromEntries(
    Object.entries(document.definitions).map(([name, schema]) => [name, plain(schema)])
  )
  const compiled = new Map<Schema, ValidateFunction>()
  const check = (schema: Schema) => {
    const found = compiled.get(schema) ?? ajv.compile({ ...plain(schema), definitions })
    compiled.set(schema, found)
    return found
  }
  return {
    operations: Object.keys(document.paths).map((path) => path.slice(1)),
    async complaints(request, reply) {
      const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
      const { get, post } = document.paths[`/${name}`] ?? {}
      // With GET or POST, whichever the description has (https://docs.slack.dev/apis/web-api/).
      const operation = get ?? post
      if (operation === undefined) return [`${name}: no such method`]
      const found = [
        ...(await argumentComplaints(operation, request)),
        ...(await replyComplaints(operation, reply, check))
      ]
      return found.map((text) => `${name}: ${text}`)
    }
  }
}

/** Wraps a fetch so that deviations from Slack's description are added to `complaints`. */
export function describedSlackFetch(fetch: Fetch, description: SlackDescription, complaints: string[]): Fetch {
  return async (request) => {
    const sent = request.clone()
    const reply = await fetch(request)
    complaints.push(...(await description.complaints(sent, reply.clone())))
    return reply
  }
}

/** Simplifies a schema: in Slack's description, a list of `items` outside of an array means one of them. */
function plain(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(plain) as unknown as Schema
  const made = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, KEPT.has(key) ? value : plain(value as Schema)])
  ) as Schema
  if (!Array.isArray(made.items)) return made
  const { items, ...rest } = made
  return { ...rest, anyOf: items }
}

const KEPT: ReadonlySet<string> = new Set(['enum', 'required', 'type', 'description', 'title'])

async function argumentComplaints({ parameters }: Operation, request: Request): Promise<string[]> {
  const form = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  const given = [...new URL(request.url).searchParams, ...(form ? new URLSearchParams(await request.text()) : [])]
  const missing = parameters
    .filter(({ name, required }) => required && !given.some(([one]) => one === name))
    .map(({ name }) => `${name} is missing`)
  const wrong = given.flatMap(([name, value]) => {
    const known = parameters.find((one) => one.name === name)
    if (known === undefined) return [`there is no parameter ${name}`]
    return (TEXT_OF[known.type ?? ''] ?? /^/).test(value) ? [] : [`${name}: ${value} is no ${known.type}`]
  })
  return [...missing, ...wrong]
}

const TEXT_OF: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false|1|0)$/,
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?$/
}

async function replyComplaints(
  { responses }: Operation,
  reply: Response,
  check: (schema: Schema) => ValidateFunction
): Promise<string[]> {
  if (reply.status === 429 && !/^\d+$/.test(reply.headers.get('retry-after') ?? '')) return ['429 without Retry-After']
  if (!reply.headers.get('content-type')?.includes('json')) return [`status ${reply.status} is no JSON`]
  const value = (await reply.json()) as { ok?: unknown }
  const validate = check((value.ok === true ? responses[200] : responses.default).schema)
  if (validate(value)) return []
  return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
    return `reply${instancePath}: ${message} ${JSON.stringify(params).slice(0, 200)}`
  })
}
