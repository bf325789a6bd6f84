import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { nodeAssets } from '../../bin/node/node-assets.ts'
import type { Assets } from '../../src/ports.ts'
import type { IndexDocument } from '../../src/search/index/index-writer.ts'
import { createIndex, type SearchIndex } from '../../src/search/search-index.ts'

const wasm = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'))

export const assets: Assets = { ...nodeAssets, sqliteWasm: () => new Uint8Array(wasm) }

/** Creates a memory with an id derived from `name`. Hits are identified by its offset. */
export function memory(name: string, more: Partial<IndexDocument> = {}): IndexDocument {
  return {
    id: hashOf(`id ${name}`).subarray(0, 16),
    text: name,
    at: Date.UTC(2024, 0, 1),
    offset: 0,
    length: 100,
    extractor: 1,
    check: hashOf(`check ${name}`),
    ...more
  }
}

export function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest())
}

export async function indexOf(documents: readonly IndexDocument[]): Promise<SearchIndex> {
  const index = await createIndex(assets)
  for (const document of documents) index.add(document)
  index.commit()
  return index
}

/** Indexes these texts as memories; the nth has offset n. */
export function textsIndex(...texts: string[]): Promise<SearchIndex> {
  return indexOf(texts.map((text, offset) => memory(`${offset}`, { text, offset })))
}

/** Returns the offsets of the hits of a query, best first. */
export function found(index: SearchIndex, query: string, limit = 10): number[] {
  return index.search(query, { limit }).map(({ offset }) => offset)
}
