import {
  APIResponseError,
  Client,
  collectPaginatedAPI,
  isFullPage,
  iteratePaginatedAPI,
  LogLevel
} from '@notionhq/client'
import { expect, test } from 'vitest'
import { notesSandbox } from '../../../../server/sandbox/notes/notes-sandbox.ts'
import { describedNotionFetch, notionDescription } from '../../../suites/notion-description.ts'
import { sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

const description = notionDescription()

/** Connects the official client to the sandbox, and records deviations from the description. */
async function officialClient(more: { version?: string } = {}) {
  const kit = sandboxKit([notesSandbox])
  const { apiUrl, clientId, clientSecret } = kit.sandbox.provider('notes')
  const { accessToken } = await kit.consent('notes')
  const complaints: string[] = []
  const plain = kit.sandbox.fetch
  const described = description ? describedNotionFetch(plain, { description, apiUrl, complaints }) : plain
  const client = new Client({
    auth: accessToken,
    baseUrl: apiUrl,
    notionVersion: more.version ?? '2025-09-03',
    retry: false,
    logLevel: LogLevel.ERROR,
    fetch: ((url: string, init: RequestInit) => described(new Request(url, init))) as never
  })
  return { kit, client, complaints, credentials: { client_id: clientId, client_secret: clientSecret } }
}

test('lets the official client page through the seeded content', async () => {
  const { client, complaints } = await officialClient()
  const titles: string[] = []
  for await (const page of iteratePaginatedAPI(client.search, {
    filter: { property: 'object', value: 'page' },
    page_size: 7
  })) {
    if (!isFullPage(page)) throw new Error('only part of a page')
    const [title] = Object.values(page.properties).flatMap((one) => (one.type === 'title' ? [one.title] : []))
    titles.push((title ?? []).map(({ plain_text: text }) => text).join(''))
  }
  expect(titles).toContain('Handbook')
  expect(titles).toContain('Trial 48')
  expect(titles).not.toContain('Incident of 14 March')
  expect(new Set(titles).size).toBe(titles.length)
  expect(complaints).toEqual([])
})

test('lets the official client find rows through search, database and data source', async () => {
  const { client, complaints } = await officialClient()
  const sources = await collectPaginatedAPI(client.search, { filter: { property: 'object', value: 'data_source' } })
  const units = sources.find((one) => 'title' in one && one.title[0]?.plain_text === 'Units')
  if (units?.object !== 'data_source' || !('parent' in units)) throw new Error('no data source of that name')
  expect(units.parent.type).toBe('database_id')
  const database = await client.databases.retrieve({ database_id: String(Object.values(units.parent)[1]) })
  expect('data_sources' in database && database.data_sources).toEqual([{ id: units.id, name: 'Units' }])
  const sorts = [{ timestamp: 'created_time' as const, direction: 'ascending' as const }]
  const query = { data_source_id: units.id, page_size: 3, sorts }
  const rows = await collectPaginatedAPI(client.dataSources.query, query)
  expect(rows.length).toBe(7)
  const lately = await client.dataSources.query({
    data_source_id: units.id,
    filter: { timestamp: 'last_edited_time', last_edited_time: { on_or_after: '2020-01-01T00:00:00.000Z' } }
  })
  expect(lately.results.length).toBe(7)
  expect(await client.dataSources.retrieve({ data_source_id: units.id })).toMatchObject({ object: 'data_source' })
  expect(complaints).toEqual([])
})

test('lets the official client read a page as properties, blocks and Markdown', async () => {
  const { client, complaints } = await officialClient()
  const { results } = await client.search({ query: 'How heading is filtered' })
  const id = results[0]?.id ?? ''
  const page = await client.pages.retrieve({ page_id: id })
  expect(isFullPage(page) && page.url).toContain('How-heading-is-filtered')
  const blocks = await collectPaginatedAPI(client.blocks.children.list, { block_id: id, page_size: 2 })
  expect(blocks.map((block) => ('type' in block ? block.type : ''))).toContain('equation')
  const { markdown, truncated } = await client.pages.retrieveMarkdown({ page_id: id })
  expect(markdown).toContain('```c')
  expect(truncated).toBe(false)
  expect(await client.blocks.retrieve({ block_id: blocks[0]?.id ?? '' })).toMatchObject({ object: 'block' })
  expect(complaints).toEqual([])
})

test('tells the official client its identity and the other people', async () => {
  const { client, complaints } = await officialClient()
  const self = await client.users.me({})
  expect(self).toMatchObject({ type: 'bot', bot: { workspace_name: 'Harbourlight' } })
  const people = await collectPaginatedAPI(client.users.list, {})
  expect(people.map(({ name }) => name)).toContain('Ada Moreau')
  expect(await client.users.retrieve({ user_id: people[0]?.id ?? '' })).toMatchObject({ name: 'Ada Moreau' })
  expect(complaints).toEqual([])
})

test('refuses the official client in a way that it understands', async () => {
  const { client } = await officialClient()
  const missing = client.pages.retrieve({ page_id: '00000000-0000-0000-0000-000000000000' })
  await expect(missing).rejects.toMatchObject({ code: 'object_not_found', status: 404 })
  await expect(client.search({ start_cursor: 'nonsense' })).rejects.toMatchObject({ code: 'validation_error' })
  await expect(client.search({ page_size: 101 })).rejects.toMatchObject({ code: 'validation_error' })
  const { client: other } = await officialClient({ version: '2031-01-01' })
  const refused = await other.users.me({}).catch((error: unknown) => error)
  expect(APIResponseError.isAPIResponseError(refused)).toBe(false)
  expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('missing_version') })
})

test('lets the official client get tokens, renew them once, and revoke them', async () => {
  const { kit, client, credentials } = await officialClient()
  const { refreshToken = '' } = await kit.consent('notes')
  const renewed = await client.oauth.token({ ...credentials, grant_type: 'refresh_token', refresh_token: refreshToken })
  expect(renewed).toMatchObject({ token_type: 'bearer', workspace_name: 'Harbourlight' })
  expect(renewed.refresh_token).not.toBe(refreshToken)
  const again = client.oauth.token({ ...credentials, grant_type: 'refresh_token', refresh_token: refreshToken })
  await expect(again).rejects.toMatchObject({ status: 400 })
  const own = await kit.consent('notes')
  await client.oauth.revoke({ ...credentials, token: own.accessToken })
  await expect(client.search({ auth: own.accessToken })).rejects.toMatchObject({ code: 'unauthorized' })
})
