import { expect, test } from 'vitest'
import { PROVIDERS } from '../../../server/providers/providers.ts'
import { SANDBOX_PROVIDERS } from '../../../server/sandbox/sandbox-providers.ts'
import { providerSuite, type SuiteEdit } from '../../suites/provider-suite.ts'
import { codeFiles } from '../../tidy/project-files.ts'
import { connect } from '../end-to-end/consent-kit.ts'
import { startTestServer } from '../end-to-end/server-kit.ts'
import { change, itemsOf, rested, type SyncServer, synced } from '../end-to-end/sync-kit.ts'
import { manualClock } from '../http/manual-clock.ts'
import { HOSTILE, LINKBOX, linkboxProvider, linkboxSandbox, listLinks } from './linkbox.ts'

/** The registries of providers, each with one more entry. No shared code knows this provider. */
const REGISTRY = {
  providers: [...PROVIDERS, linkboxProvider],
  sandboxProviders: [...SANDBOX_PROVIDERS, linkboxSandbox]
}

const edits: readonly SuiteEdit[] = [
  { name: 'a link is added', make: (w) => w.change('put', { id: 'tea', title: 'Tea', note: 'Tea is ready.' }) },
  { name: 'its note changes', make: (w) => w.change('put', { id: 'tea', title: 'Tea', note: 'Tea is cold.' }) },
  { name: 'an old one changes', make: (w) => w.change('put', { id: 'Ada-3', title: '3', note: 'Three again.' }) },
  { name: 'one is deleted', make: (w) => w.change('delete', { id: 'Ada-5' }) }
]

providerSuite({
  provider: linkboxProvider,
  sandboxProvider: linkboxSandbox,
  account: 'Ada',
  hostile: HOSTILE,
  selection: () => [],
  holds: listLinks,
  edits,
  listing: 'links.list',
  reading: 'links.get',
  smallPages(request) {
    const url = new URL(request.url)
    if (url.searchParams.has('limit')) url.searchParams.set('limit', '2')
    return new Request(url, request)
  }
})

test('a fifth provider connects by consent, syncs first everything and then what changed, and disconnects', async () => {
  const server = (await startTestServer({ syncs: true, clock: manualClock(), registry: REGISTRY })) as SyncServer
  expect((await server.call('GET', '/v1/connectors/providers')).json).toContain(LINKBOX)
  const id = await connect(server, LINKBOX)
  expect(await rested(server, id)).toMatchObject({ outcome: 'succeeded', created: 12 })

  await change(server, `${LINKBOX}.put`, { id: 'Ada-2', title: 'Pier', note: 'The pier is closed.' })
  await change(server, `${LINKBOX}.delete`, { id: 'Ada-9' })
  expect(await synced(server, id)).toMatchObject({ outcome: 'succeeded', updated: 1, created: 0, deleted: 1 })
  expect((await itemsOf(server, id)).map((item: { id: string }) => item.id)).not.toContain('Ada-9')
  const search = { body: { query: 'pier', collection_ids: [server.collectionId] } }
  expect(JSON.stringify((await server.call('POST', '/v1/memories/search', search)).json)).toContain(
    'The pier is closed'
  )
  expect((await server.call('DELETE', `/v1/connectors/${id}?delete_memories=true`)).json.warnings).toEqual([])
})

test('no shared code names the fifth provider', () => {
  const files = codeFiles().filter(
    ({ path, text }) => /linkbox/i.test(text) && !path.startsWith('test/server/providers/')
  )
  expect(files.map(({ path }) => path)).toEqual([])
})
