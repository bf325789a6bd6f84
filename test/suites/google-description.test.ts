import { expect, test } from 'vitest'
import { googleDescription } from './google-description.ts'

const drive = googleDescription('drive.v3.json')
const MISSING = 'the published description is not here'

async function complaintsOf(path: string, reply: unknown, status = 200): Promise<string[]> {
  const request = new Request(`http://localhost${path}`)
  const found = await drive?.complaints(request, Response.json(reply, { status }), new URL(request.url).pathname)
  return found ?? []
}

test("accepts requests and replies that match Google's description", async ({ skip }) => {
  skip(drive === undefined, MISSING)
  const files = [{ id: 'a', name: 'b', size: '12', modifiedTime: '2026-01-01T00:00:00.000Z', parents: ['c'] }]
  expect(await complaintsOf('/drive/v3/files?pageSize=5&fields=files(id,owners/me),kind', { files })).toEqual([])
  expect(drive?.operationOf('GET', '/drive/v3/files/abc/export')).toBe('drive.files.export')
})

test("reports deviations from Google's description", async ({ skip }) => {
  skip(drive === undefined, MISSING)
  expect(await complaintsOf('/drive/v3/files?pageSize=5000', {})).toHaveLength(1)
  expect(await complaintsOf('/drive/v3/files?page_size=5', {})).toHaveLength(1)
  expect(await complaintsOf('/drive/v3/files?fields=files(id,nmae)', {})).toHaveLength(1)
  expect(await complaintsOf('/drive/v3/files?fields=files(id', {})).toHaveLength(1)
  expect(await complaintsOf('/drive/v3/changes', { changes: [] })).toEqual([
    'drive.changes.list: parameter pageToken is missing'
  ])
  expect(await complaintsOf('/drive/v3/files', { files: [{ size: 12, nmae: '' }] })).toHaveLength(2)
  expect(await complaintsOf('/drive/v3/files', { error: 'no' }, 404)).toHaveLength(1)
  expect(await complaintsOf('/drive/v3/flies', {})).toHaveLength(1)
})
