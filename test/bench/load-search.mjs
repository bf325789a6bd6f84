import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The search room as it stands in `src`, bundled at run time, so that what is measured is never an old build. */
export async function loadSearch() {
  const folder = join(root, 'node_modules', '.cache', 'memctl-bench')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `search-${process.pid}.mjs`)
  await build({
    stdin: { contents: EXPORTS, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['sql.js'],
    outfile,
    logLevel: 'error'
  })
  return { ...(await import(pathToFileURL(outfile).href)), assets: searchAssets(), bundle: outfile }
}

const EXPORTS = `
  export { createIndex, openIndex } from './src/search/index/search-index.ts'
  export { analyse } from './src/search/analyse/analyse.ts'
`

export function searchAssets() {
  return { sqliteWasm: () => new Uint8Array(readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'))) }
}
