import { type Verdict, verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { sourceOf } from '../../snapshot/builders.ts'
import type { TestServer } from './server-kit.ts'

/** An export as a device gets it: the file's bytes and the device's verdict on them, and what the server says at its end. */
export type Exported = { file: string; verdict: Verdict; end: { type: string; records: number; root_hash: string } }

export const EXPORT = '/v1/device-memory/snapshot/export'
export const IMPORT = '/v1/device-memory/snapshot/import'

/** A collection as lines. */
export async function exported(server: TestServer, collection_id: string): Promise<Exported> {
  const headers = { accept: 'application/jsonl' }
  const response = await server.send('POST', EXPORT, { body: { collection_id }, headers })
  return understood(await response.text())
}

/** An export's text, cut into what a file keeps and its last line. */
export function understood(text: string): Exported {
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  const file = text.slice(0, end)
  return { file, verdict: verifySnapshot(sourceOf(file)), end: JSON.parse(text.slice(end)) }
}

/** A new collection with these lines of a file in it. */
export async function restored(server: TestServer, lines: string): Promise<string> {
  const { json } = await server.call('POST', '/v1/collections', { body: { name: 'restored' } })
  const { status } = await server.call('POST', `/v1/collections/${json.id}/records`, { lines })
  if (status !== 200) throw new Error(`restoring was refused: ${status}`)
  return json.id
}
