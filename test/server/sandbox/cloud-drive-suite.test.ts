import { expect, test } from 'vitest'
import { cloudDriveSandbox } from '../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import type { Fetch } from '../../../src/ports.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { type SandboxExample, sandboxProviderSuite } from '../../suites/sandbox-provider-suite.ts'

const FOLDER = 'application/vnd.google-apps.folder'

const REFUSALS = {
  unauthorized: { status: 401, json: { error: { code: 401, errors: [{ reason: 'authError' }] } } },
  rate_limited: { status: 429, json: { error: { code: 429, errors: [{ reason: 'rateLimitExceeded' }] } } },
  server_error: { status: 500, json: { error: { code: 500, errors: [{ reason: 'backendError' }] } } },
  overloaded: { status: 503, json: { error: { code: 503 } } },
  not_found: { status: 404, json: { error: { code: 404, errors: [{ reason: 'notFound' }] } } }
}

const EXAMPLE: SandboxExample = {
  sandboxProvider: cloudDriveSandbox,
  call: (apiUrl) => new Request(`${apiUrl}/drive/v3/about?fields=user`),
  refuses: ({ reason }) => REFUSALS[reason],
  unscoped: {
    scopes: ['https://www.googleapis.com/auth/drive.metadata.readonly'],
    call: (apiUrl) => new Request(`${apiUrl}/drive/v3/files/anything?alt=media`),
    status: 403,
    json: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } }
  },
  crawl: async (fetch, apiUrl) => (await filesOf(fetch, apiUrl)).map((file) => Object.values(file).join('\n')),
  piecesMin: 40,
  change: {
    name: 'add_file',
    input: { parent: 'root', name: 'Marmalade at noon', text: 'A jar.' },
    shows: 'Marmalade at noon'
  }
}

sandboxProviderSuite(EXAMPLE)

test('cloud_drive: has ids of letters and digits, and nested folders', async () => {
  const kit = sandboxKit([cloudDriveSandbox])
  const files = await filesOf(await kit.fetchAs('cloud_drive'), kit.sandbox.provider('cloud_drive').apiUrl)
  for (const { id } of files) expect(id).toMatch(/^[A-Za-z0-9]{1,64}$/)
  const folders = new Map(
    files.filter(({ mimeType }) => mimeType === FOLDER).map(({ id, parents }) => [id, parents?.[0]])
  )
  const depths = [...folders.keys()].map((id) => depthOf(id, folders))
  expect(Math.max(...depths)).toBeGreaterThanOrEqual(3)
})

type File = { id: string; name: string; mimeType: string; parents?: string[]; modifiedTime: string }

async function filesOf(fetch: Fetch, apiUrl: string): Promise<File[]> {
  const files: File[] = []
  let token: string | undefined
  do {
    const query = new URLSearchParams({
      pageSize: '1000',
      fields: 'nextPageToken,files(id,name,mimeType,parents,modifiedTime)'
    })
    if (token !== undefined) query.set('pageToken', token)
    const page = await fetch(new Request(`${apiUrl}/drive/v3/files?${query}`))
    const listed = (await page.json()) as { files: File[]; nextPageToken?: string }
    files.push(...listed.files)
    token = listed.nextPageToken
  } while (token !== undefined)
  return files
}

/** Returns the number of folders from one to the top. */
function depthOf(id: string | undefined, parents: ReadonlyMap<string, string | undefined>, seen = 0): number {
  return id === undefined || !parents.has(id) || seen > 300 ? 0 : 1 + depthOf(parents.get(id), parents, seen + 1)
}

test('cloud_drive: adds several numbered files in one change', async () => {
  const kit = sandboxKit([cloudDriveSandbox])
  const [{ accounts }] = (await kit.control('GET', '/accounts')) as [{ accounts: [{ id: string }] }]
  const order = (input: unknown) =>
    kit.control('POST', `/accounts/cloud_drive/${encodeURIComponent(accounts[0].id)}/add_file`, input)
  const { ids } = (await order({ parent: 'root', name: 'jar.v2.txt', text: 'Plum', count: 3 })) as { ids: string[] }
  await order({ parent: 'root', name: 'no ending', text: 'Quince', count: 2 })
  const fetch = await kit.fetchAs('cloud_drive')
  const { apiUrl } = kit.sandbox.provider('cloud_drive')
  const names = (await filesOf(fetch, apiUrl)).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['jar.v2 1.txt', 'jar.v2 2.txt', 'jar.v2 3.txt', 'no ending 2']))
  const media = await fetch(new Request(`${apiUrl}/drive/v3/files/${ids[1]}?alt=media`))
  expect(await media.text()).toBe('Plum (2)')
})
