import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadSource } from './load-source.mjs'

const require = createRequire(import.meta.url)

/** The search room as it stands in `src`. */
export async function loadSearch() {
  return { ...(await loadSource(EXPORTS, ['sql.js'])), assets: searchAssets() }
}

const EXPORTS = `
  export { createIndex, openIndex } from './src/search/index/search-index.ts'
  export { analyse } from './src/search/analyse/analyse.ts'
`

export function searchAssets() {
  return { sqliteWasm: () => new Uint8Array(readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'))) }
}
