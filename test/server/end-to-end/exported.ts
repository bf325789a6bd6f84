import { type Verdict, verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { sourceOf } from '../../snapshot/builders.ts'
import type { TestServer } from './server-kit.ts'

/**
 * An export as a device receives it: the file's bytes, the device's verdict on them, and the final line of the server.
 */
export type Exported = { file: string; verdict: Verdict; end: { type: string; records: number; root_hash: string } }

export const EXPORT = '/v1/device-memory/snapshot/export'
export const IMPORT = '/v1/device-memory/snapshot/import'

/** Exports a collection as lines. */
export async function exported(server: TestServer, collection_id: string): Promise<Exported> {
  const headers = { accept: 'application/jsonl' }
  const response = await server.send('POST', EXPORT, { body: { collection_id }, headers })
  return understood(await response.text())
}

/** Splits an export's text into the file and its final line. */
export function understood(text: string): Exported {
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  const file = text.slice(0, end)
  return { file, verdict: verifySnapshot(sourceOf(file)), end: JSON.parse(text.slice(end)) }
}

/** Imports the lines of a file into a new collection. */
export async function restored(server: TestServer, lines: string): Promise<string> {
  const { json } = await server.call('POST', '/v1/collections', { body: { name: 'restored' } })
  const { status } = await server.call('POST', `/v1/collections/${json.id}/records`, { lines })
  if (status !== 200) throw new Error(`restoring was refused: ${status}`)
  return json.id
}
