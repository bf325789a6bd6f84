import type { JsonObject } from '../../src/snapshot/json/json.ts'
import { file, forgetLine, header, memory, memoryLine } from '../snapshot/builders.ts'
import { type ClientParts, choose, chooseCollection, exportCollection, exportLines, send } from './client-parts.ts'

/*
 * Acts of clients with lines and snapshots: devices that upload theirs, callers that keep their own memory, and
 * assistants.
 */

/** Uploads a memory as a device does, with its own id and time. */
export async function upload(parts: ClientParts, { pick, token }: { pick: number; token: string }): Promise<void> {
  const { told } = parts
  const collectionId = chooseCollection(parts, pick)
  if (collectionId === undefined) return
  const text = `The device noted ${token} in Porto.`
  told.unanswered.add(token)
  if (await sendLines(parts, collectionId, memoryLine({ text })))
    told.stored.set(String(memory({ text }).id), { collectionId, token })
}

/** Forgets any memory of a collection, regardless of who stored it. */
export async function forget(parts: ClientParts, pick: number): Promise<void> {
  const { told, watched } = parts
  const collectionId = chooseCollection(parts, pick)
  const found = choose([...(watched.collections.get(collectionId ?? '')?.memories.values() ?? [])], pick)
  if (collectionId === undefined || found === undefined) return
  const asked = watched.forgetsAsked.get(collectionId) ?? new Set()
  watched.forgetsAsked.set(collectionId, asked.add(found.id))
  if (!(await sendLines(parts, collectionId, forgetLine(found.id)))) return
  told.forgotten.set(found.id, collectionId)
  if (watched.collections.get(collectionId)?.memories.has(found.id) && !watched.deletedCollections.has(collectionId))
    told.violations.push(`${found.token} was forgotten, as the server said, and is still there`)
}

/** Uploads a line. Returns whether the server acknowledged it. */
async function sendLines(parts: ClientParts, collectionId: string, line: string): Promise<boolean> {
  const request = { method: 'POST', path: `/v1/collections/${collectionId}/records`, headers: LINES }
  return (await send(parts, { ...request, form: file(line).toString() }))?.status === 200
}

const LINES = { 'content-type': 'application/jsonl' }

/** Imports the export of a collection: the ephemeral collection has the same memories. */
export async function importSnapshot(parts: ClientParts, pick: number): Promise<void> {
  const { told } = parts
  const collectionId = chooseCollection(parts, pick)
  const lines = collectionId && (await exportLines(parts, collectionId))
  if (lines === undefined || lines === '') return
  const path = '/v1/device-memory/snapshot/import'
  const imported = await send(parts, {
    method: 'POST',
    path,
    headers: LINES,
    form: lines.slice(0, lines.lastIndexOf('{"type":"end"'))
  })
  if (imported?.status === 422) told.violations.push(`an export could not be imported: ${imported.text}`)
  if (imported?.status !== 201) return
  const { ephemeral_collection_id: id } = JSON.parse(imported.text) as { ephemeral_collection_id: string }
  told.ephemeral.add(id)
  const copy = await exportCollection(parts, id)
  const count = lines.split('\n').filter((line) => line.includes('"type":"memory"')).length
  if (copy !== undefined && copy.size !== count)
    told.violations.push(`an import has ${copy.size} memories, where ${count} were exported`)
}

/** Stores in a snapshot and searches it. The server keeps neither, so no collection may have the token. */
export async function askSnapshot(parts: ClientParts, token: string): Promise<void> {
  const { told } = parts
  const empty = { ...(JSON.parse(header()) as JsonObject), records: [] }
  const json = { snapshot: empty, raw_text: `The captain said ${token} to Ben in Lisbon.` }
  const stored = await send(parts, { method: 'POST', path: '/v1/memories', json })
  if (stored?.status !== 200) return
  const { snapshot } = JSON.parse(stored.text) as { snapshot: unknown }
  const question = { snapshot, query: token }
  const found = await send(parts, { method: 'POST', path: '/v1/memories/search', json: question })
  if (found?.status === 200 && !found.text.includes(`said ${token}`))
    told.violations.push(`${token} is in a snapshot, and a search of it does not find it`)
}

/** Stores and searches as an assistant does. What the tool acknowledged is stored, and a search finds it. */
export async function assist(parts: ClientParts, { pick, token }: { pick: number; token: string }): Promise<void> {
  const { told, watched } = parts
  const collectionId = chooseCollection(parts, pick)
  if (collectionId === undefined) return
  told.unanswered.add(token)
  const stored = await callTool(parts, collectionId, { name: 'memory_store', text: `The pilot said ${token} to Ben.` })
  const id = /mem_[0-9a-f]{32}/.exec(stored ?? '')?.[0]
  if (id === undefined) return
  told.stored.set(id, { collectionId, token })
  const found = await callTool(parts, collectionId, { name: 'memory_search', query: token })
  const isGone = told.maybeDeleted.has(collectionId) || watched.forgetsAsked.get(collectionId)?.has(id)
  if (found !== undefined && !isGone && !found.includes(`said ${token}`))
    told.violations.push(`${token} was acknowledged to an assistant and is not found`)
}

/** Calls a tool, and returns the text of its answer unless it is an error. */
async function callTool(
  parts: ClientParts,
  collectionId: string,
  { name, ...given }: { name: string } & Record<string, string>
): Promise<string | undefined> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const reply = await send(parts, { method: 'POST', path: `/mcp/${collectionId}`, json })
  if (reply?.status !== 200) return undefined
  const { result } = JSON.parse(reply.text) as { result?: { content: { text: string }[]; isError?: boolean } }
  return result?.isError === true ? undefined : result?.content[0]?.text
}
