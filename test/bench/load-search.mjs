import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relatedTermsFile } from '../../bin/related-terms/related-terms-file.mjs'
import { bundleSource, loadSource } from './load-source.mjs'

const require = createRequire(import.meta.url)

/** Loads the current search modules from `src`. */
export async function loadSearch() {
  return { ...(await loadSource(EXPORTS, EXTERNAL)), assets: await searchAssets() }
}

/** Bundles the search modules, to be loaded repeatedly with other parameters in `RANKING`. */
export async function bundleSearch() {
  const { load, remove } = await bundleSource(EXPORTS, EXTERNAL)
  return { load: async (override) => ({ ...(await load(override)), assets: await searchAssets() }), remove }
}

const EXTERNAL = ['sql.js']

const EXPORTS = `
  export { createIndex, openIndex } from './src/search/search-index.ts'
  export { analyse } from './src/search/analyse/analyse.ts'
  export { answerQuery } from './src/search/answer/answer-query.ts'
  export { RANKING } from './src/search/rank/ranking-constants.ts'
`

async function searchAssets() {
  const related = await relatedTermsFile()
  return {
    sqliteWasm: () => new Uint8Array(readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'))),
    relatedTerms: () => new Uint8Array(readFileSync(related)),
    wordVectors: () => new Uint8Array(readFileSync(new URL('../../bin/word-vectors/word-vectors.bin', import.meta.url)))
  }
}
