import { expect, test } from 'vitest'
import { PUBLISHED as DRIVE_PUBLISHED } from '../../../server/sandbox/cloud-drive/published.ts'
import type { SandboxProvider, SandboxRoute } from '../../../server/sandbox/core/sandbox-provider.ts'
import { PUBLISHED as GMAIL_PUBLISHED } from '../../../server/sandbox/mailbox/published.ts'
import { SANDBOX_PROVIDERS } from '../../../server/sandbox/sandbox-providers.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { notionParameters, publishedApi, slackArguments } from './published-parameters.ts'

const NOTION_VERSION = '2025-09-03'
const SOME_ID = '11111111-2222-4333-8444-555555555555'

/** Arguments on Slack's pages that are newer than its description of 2020. */
const SLACK_LATER: Readonly<Record<string, readonly string[]>> = {
  'conversations.history': ['include_all_metadata'],
  'conversations.replies': ['include_all_metadata'],
  'bots.info': ['team_id'],
  'conversations.list': ['team_id'],
  'users.list': ['team_id']
}

function operationsOf({ routes }: SandboxProvider): string[] {
  return [...new Set(routes.map(({ operation }) => operation))].sort()
}

function sandboxProvider(id: string): SandboxProvider {
  const found = SANDBOX_PROVIDERS.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no ${id}`)
  return found
}

test.for(SANDBOX_PROVIDERS)('$id: defines parameters for exactly its operations', (one) => {
  expect(Object.keys(one.parameters).sort()).toEqual(operationsOf(one))
})

test.for([
  ['cloud_drive', 'drive.v3.json', DRIVE_PUBLISHED],
  ['mailbox', 'gmail.v1.json', GMAIL_PUBLISHED]
] as const)('%s: has the published parameters and fields', ([id, file, table], { skip }) => {
  const published = publishedApi(file, operationsOf(sandboxProvider(id)))
  skip(published === undefined, 'needs ../shared/fixtures')
  expect(table).toEqual(published)
})

test('notes: has the published parameters', ({ skip }) => {
  const { parameters } = sandboxProvider('notes')
  const published = notionParameters(Object.keys(parameters))
  skip(published === undefined, 'needs ../shared/fixtures')
  const sorted = (all: typeof parameters) =>
    Object.entries(all)
      .map(([name, { query, body }]) => [name, [...query].sort(), body && [...body].sort()])
      .sort()
  expect(sorted(parameters)).toEqual(sorted(published ?? {}))
})

test('team_chat: has the arguments of the published description and of the newer pages', ({ skip }) => {
  const { parameters } = sandboxProvider('team_chat')
  const published = slackArguments(Object.keys(parameters))
  skip(published === undefined, 'needs ../shared/fixtures')
  for (const [method, { query, body }] of Object.entries(parameters)) {
    const all = new Set(['token', ...(published?.[method] ?? []), ...(SLACK_LATER[method] ?? [])])
    expect([...query].sort(), method).toEqual([...all].sort())
    expect(body, method).toEqual(query)
  }
})

type Asked = { query?: string; body?: unknown }

/** Calls a route of a sandbox provider; its path may name missing objects. */
async function answered({ id, apiPath }: SandboxProvider, route: SandboxRoute, { query = '', body }: Asked) {
  const kit = sandboxKit(SANDBOX_PROVIDERS)
  const fetch = await kit.fetchAs(id)
  const path = route.path
    .slice(apiPath.length)
    .replace('{userId}', 'me')
    .replaceAll(/\{\w+\}/g, SOME_ID)
  const headers = {
    'notion-version': NOTION_VERSION,
    ...(body !== undefined && { 'content-type': 'application/json' })
  }
  const url = `${kit.sandbox.provider(id).apiUrl}${path}${query}`
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(new Request(url, { method: route.method, headers, ...sent }))
  return { status: reply.status, json: (await reply.json()) as Record<string, unknown> }
}

const REFUSALS: Readonly<Record<string, { status: number; json: Record<string, unknown> }>> = {
  cloud_drive: {
    status: 400,
    json: { error: { code: 400, errors: [{ reason: 'badRequest', location: 'no_such' }] } }
  },
  mailbox: { status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT' } } },
  team_chat: { status: 200, json: { ok: false, error: 'invalid_arg_name' } },
  notes: { status: 400, json: { object: 'error', status: 400, code: 'validation_error' } }
}

const ROUTES = SANDBOX_PROVIDERS.flatMap((one) =>
  one.routes.map((route) => ({ one, route, name: `${route.method} ${route.path}` }))
)

test.for(ROUTES)('$name refuses an unknown parameter in its own format', async ({ one, route }) => {
  expect(await answered(one, route, { query: '?no_such=1' })).toMatchObject(REFUSALS[one.id] ?? {})
  if (route.method !== 'POST') return
  expect(await answered(one, route, { body: { no_such: 1 } })).toMatchObject(REFUSALS[one.id] ?? {})
})

const GOOGLE = ROUTES.filter(
  ({ one, route }) => one.id !== 'team_chat' && one.id !== 'notes' && !/export/.test(route.path)
)

test.for(GOOGLE)('$name refuses a field that its reply does not have', async ({ one, route }) => {
  for (const fields of ['etag', 'kind/etag', 'id,no_such(id)'])
    expect(await answered(one, route, { query: `?fields=${fields}` }), fields).toMatchObject({
      status: 400,
      json: { error: { code: 400, message: expect.stringMatching(/^Invalid field selection (etag|kind|id|no_such)/) } }
    })
})

test("names an unknown member in Notion's refusal, with its value", async () => {
  const notes = sandboxProvider('notes')
  const search = notes.routes.find(({ operation }) => operation === 'post-search')
  const query = notes.routes.find(({ operation }) => operation === 'query-data-source')
  if (search === undefined || query === undefined) throw new Error('routes are missing')
  const messageOf = async (route: SandboxRoute, asked: Asked) => (await answered(notes, route, asked)).json.message
  expect(await messageOf(search, { body: { foo: 'x' } })).toBe(
    'body failed validation: body.foo should be not present, instead was `"x"`.'
  )
  expect(
    await messageOf(search, { body: { sort: { direction: 'ascending', timestamp: 'last_edited_time', foo: 1 } } })
  ).toBe('body failed validation: body.sort.foo should be not present, instead was `1`.')
  expect(await messageOf(search, { query: '?v=0', body: {} })).toBe(
    'query failed validation: query.v should be not present, instead was `"0"`.'
  )
  expect(await messageOf(query, { body: { filter_properties: ['a'] } })).toMatch(
    /body\.filter_properties should be not present/
  )
})

test('refuses an invalid id like Notion, and not as missing', async () => {
  const kit = sandboxKit(SANDBOX_PROVIDERS)
  const fetch = await kit.fetchAs('notes')
  const reply = await fetch(
    new Request(`${kit.sandbox.provider('notes').apiUrl}/v1/pages/x0`, {
      headers: { 'notion-version': NOTION_VERSION }
    })
  )
  expect([reply.status, await reply.json()]).toMatchObject([
    400,
    {
      code: 'validation_error',
      message: 'path failed validation: path.page_id should be a valid uuid, instead was `"x0"`.'
    }
  ])
})

test.for([
  ['application/json', '{', 'invalid_json'],
  ['application/json', '[]', 'json_not_object'],
  ['application/xml', '<a/>', 'invalid_post_type']
] as const)('refuses a body of type %s with %s like Slack: %s', async ([type, body, error]) => {
  const kit = sandboxKit(SANDBOX_PROVIDERS)
  const fetch = await kit.fetchAs('team_chat')
  const url = `${kit.sandbox.provider('team_chat').apiUrl}/auth.test`
  const reply = await fetch(new Request(url, { method: 'POST', headers: { 'content-type': type }, body }))
  expect(await reply.json()).toEqual({ ok: false, error })
})
