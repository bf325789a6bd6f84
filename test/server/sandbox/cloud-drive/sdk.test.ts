import { auth, drive, type drive_v3 } from '@googleapis/drive'
import { type ServerType, serve } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { describedFetch, googleDescription } from '../../../suites/google-description.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

const MARA = 'mara.lindqvist@example.com'
const FOLDER = 'application/vnd.google-apps.folder'

type Client = { client: drive_v3.Drive; kit: SandboxKit; complaints: string[] }

test('lets the official client identify its account, browse folders and shared drives, and read files', async () => {
  const { client, complaints } = await connected()
  const { data: about } = await client.about.get({ fields: 'user' })
  expect(about.user?.emailAddress).toBe(MARA)
  const { data: top } = await client.files.list({ q: "'root' in parents and trashed = false", orderBy: 'name' })
  expect(top.files?.map(({ name }) => name).sort()).toEqual(['Harbour Lane Studio', 'Personal'])
  const { data: drives } = await client.drives.list({})
  expect(drives.drives?.map(({ name }) => name)).toEqual(['Guild of Small Studios'])
  const { data: rates } = await client.files.list({
    q: "name = 'Recommended rates'",
    corpora: 'drive',
    driveId: drives.drives?.[0]?.id ?? '',
    includeItemsFromAllDrives: true,
    supportsAllDrives: true
  })
  const exported = await client.files.export(
    { fileId: rates.files?.[0]?.id ?? '', mimeType: 'text/markdown' },
    { responseType: 'text' }
  )
  expect(exported.data).toContain('An hour of design is 95 euro')

  const { data: found } = await client.files.list({ q: "name contains '.pdf'", fields: 'files(id,size,md5Checksum)' })
  const { id = '', size } = found.files?.[0] ?? {}
  const media = await client.files.get({ fileId: id ?? '', alt: 'media' }, { responseType: 'arraybuffer' })
  expect(
    Buffer.from(media.data as unknown as ArrayBuffer)
      .subarray(0, 5)
      .toString()
  ).toBe('%PDF-')
  expect(String((media.data as unknown as ArrayBuffer).byteLength)).toBe(size)
  expect(complaints).toEqual([])
})

test('lets the official client page through all files, each once', async () => {
  const { client, complaints } = await connected()
  const paged = await allFiles(client, 7)
  const whole = await allFiles(client, 1000)
  expect(paged).toEqual(whole)
  expect(new Set(paged).size).toBe(paged.length)
  expect(paged.length).toBeGreaterThan(40)
  expect(complaints).toEqual([])
})

test('reports changes, moves and deletions to the official client, deletions without a file', async () => {
  const { client, kit, complaints } = await connected()
  const { data: start } = await client.changes.getStartPageToken({})
  const { data: folders } = await client.files.list({ q: `name = 'Personal' and mimeType = '${FOLDER}'` })
  const folder = folders.files?.[0]?.id ?? ''
  const change = (name: string, input: unknown) =>
    kit.control('POST', `/accounts/cloud_drive/${MARA_ID}/${name}`, input) as Promise<{ id: string }>
  const { id: kept } = await change('add_file', { parent: folder, name: 'kept.txt', text: 'a' })
  const { id: gone } = await change('add_file', { parent: folder, name: 'gone.txt', text: 'b' })
  await change('edit_file', { id: kept, text: 'c' })
  await change('delete', { id: gone })
  await change('trash', { id: folder })

  const { data } = await client.changes.list({ pageToken: start.startPageToken ?? '', fields: '*' })
  const told = data.changes?.map(({ fileId, removed, file }) => [fileId, removed, file?.trashed])
  expect(told).toEqual([
    [kept, false, true],
    [gone, true, undefined],
    [folder, false, true]
  ])
  const { data: next } = await client.changes.list({ pageToken: data.newStartPageToken ?? '' })
  expect(next).toMatchObject({ changes: [], newStartPageToken: data.newStartPageToken })
  expect(complaints).toEqual([])
})

test('refuses the official client like the service', async () => {
  const { client, kit } = await connected()
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: { status?: number }) => error.status
    )
  expect(await statusOf(client.files.get({ fileId: 'nothing' }))).toBe(404)
  expect(await statusOf(client.files.list({ q: 'fullText contains 1' }))).toBe(400)
  expect(await statusOf(client.files.list({ pageToken: 'x' }))).toBe(400)
  expect(await statusOf(client.changes.list({ pageToken: '999999' }))).toBe(400)
  expect(await statusOf(client.about.get({}))).toBe(400)
  await kit.control('POST', '/faults', { provider: 'cloud_drive', kind: 'expired_token' })
  expect(await statusOf(client.files.list({}))).toBe(401)
})

const MARA_ID = '06412830957716204411'

async function allFiles(client: drive_v3.Drive, pageSize: number): Promise<string[]> {
  const ids: string[] = []
  for (let pageToken: string | undefined; ; ) {
    const { data } = await client.files.list({
      pageSize,
      ...(pageToken && { pageToken }),
      fields: 'nextPageToken,files/id'
    })
    ids.push(...(data.files ?? []).map(({ id }) => id ?? ''))
    pageToken = data.nextPageToken ?? undefined
    if (pageToken === undefined) return ids
  }
}

/**
 * Creates the official client with a token of the first account over a real socket, and compares its requests with the
 * description.
 */
async function connected(): Promise<Client> {
  const kit = sandboxKit([cloudDriveSandbox])
  const { apiUrl } = kit.sandbox.provider('cloud_drive')
  const { accessToken } = await kit.consent('cloud_drive', { account: MARA })
  const description = googleDescription('drive.v3.json')
  const complaints: string[] = []
  const plain = kit.sandbox.fetch
  const fetch: Fetch = description ? describedFetch(plain, { description, apiUrl, complaints }) : plain
  const origin = await listening((request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${apiUrl}${pathname}${search}`, { method: request.method, headers: request.headers }))
  })
  const credentials = new auth.OAuth2()
  credentials.setCredentials({ access_token: accessToken })
  return { client: drive({ version: 'v3', rootUrl: `${origin}/`, auth: credentials, retry: false }), kit, complaints }
}

async function listening(fetch: Fetch): Promise<string> {
  let server: ServerType | undefined
  const port = await new Promise<number>((resolve) => {
    server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port))
  })
  onTestFinished(() => new Promise((resolve) => void server?.close(() => resolve())))
  return `http://127.0.0.1:${port}`
}
