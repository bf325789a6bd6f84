import { expect, test } from 'vitest'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

type Files = { files: { id: string; name: string; modifiedTime: string; mimeType: string }[]; nextPageToken?: string }

async function drive() {
  const kit = sandboxKit([cloudDriveSandbox])
  const fetch = await kit.fetchAs('cloud_drive')
  const { apiUrl } = kit.sandbox.provider('cloud_drive')
  return async (query: Readonly<Record<string, string>>) => {
    const all = new URLSearchParams({ fields: 'nextPageToken,files(id,name,modifiedTime,mimeType)', ...query })
    const reply = await fetch(new Request(`${apiUrl}/drive/v3/files?${all}`))
    return {
      status: reply.status,
      json: (await reply.json()) as Files & { error?: { errors: { location: string }[] } }
    }
  }
}

async function pagesOf(list: Awaited<ReturnType<typeof drive>>, query: Readonly<Record<string, string>>) {
  const found: Files['files'] = []
  for (let token: string | undefined, more = true; more; ) {
    const { json } = await list({ ...query, ...(token !== undefined && { pageToken: token }) })
    found.push(...json.files)
    token = json.nextPageToken
    more = token !== undefined
  }
  return found
}

test('sorts by orderBy with any page size', async () => {
  const list = await drive()
  const all = (await list({ pageSize: '1000' })).json.files
  const sorted = (by: (a: Files['files'][number]) => string) =>
    all.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : a.id < b.id ? -1 : 1)).map(({ id }) => id)
  const ids = async (orderBy: string, pageSize: string) =>
    (await pagesOf(list, { orderBy, pageSize })).map(({ id }) => id)
  for (const pageSize of ['3', '1000']) {
    expect(await ids('name', pageSize)).toEqual(sorted(({ name }) => name.toLowerCase()))
    expect(await ids('modifiedTime', pageSize)).toEqual(sorted(({ modifiedTime }) => modifiedTime))
    expect(await ids('folder,name', pageSize)).toEqual(
      sorted(({ mimeType, name }) => `${mimeType.endsWith('.folder') ? 0 : 1}${name.toLowerCase()}`)
    )
  }
  const names = (await pagesOf(list, { orderBy: 'name desc', pageSize: '4' })).map(({ name }) => name.toLowerCase())
  expect(names).toEqual(names.toSorted().reverse())
})

test.for([
  ['orderBy', 'size'],
  ['orderBy', 'name down'],
  ['orderBy', 'name,'],
  ['pageSize', '0'],
  ['pageSize', '1001'],
  ['pageSize', 'many'],
  ['supportsAllDrives', 'yes'],
  ['corpora', 'everything'],
  ['driveId', 'D1'],
  ['q', "name is 'x'"],
  ['q', "'root' in parents and"],
  ['pageToken', 'x']
] as const)('refuses a listing with %s=%s', async ([name, value]) => {
  const { status, json } = await (await drive())({ [name]: value })
  expect([status, json.error?.errors[0]?.location]).toEqual([400, name])
})
