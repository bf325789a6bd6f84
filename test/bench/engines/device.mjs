import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/**
 * Runs the built device library: memories are stored and extracted in a snapshot, and the sources of an answer are the
 * hits. Equal memories are folded into one of them.
 */
export async function device() {
  const { createSnapshot, openDevice } = await import('../../../dist/device.js')
  const folder = mkdtempSync(join(tmpdir(), 'memctl-eval-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  let snapshots = 0
  return {
    name: 'memctl',
    async build(documents) {
      const path = join(folder, `${snapshots++}.mem.jsonl`)
      const options = { cacheFolder: join(folder, 'cache') }
      await createSnapshot(path, options)
      const opened = openDevice(path, options)
      await opened.storeBatch({ stream: Readable.from([Buffer.from(documents.map(batchLine).join(''))]) })
      return opened
    },
    async search(opened, query, { limit }) {
      const { response } = await opened.search(query, { limit, groups: ['sources'] })
      return response.sources
    },
    numberOf: ({ metadata }) => metadata.number
  }
}

function batchLine({ text, title, speaker, conversation, position, at, undated }, number) {
  const metadata = { number, ...(title === undefined ? {} : { title }) }
  const time = undated ? undefined : new Date(at).toISOString()
  return `${JSON.stringify({ raw_text: text, metadata, speaker, conversation, position, at: time })}\n`
}
