import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Assets, SystemError } from '../../src/ports.ts'

/** Files that belong to the program: beside it when it is built; in their packages, or made from these, when it runs from source. */
export const nodeAssets: Assets = {
  sqliteWasm: () =>
    readAsset('./sql-wasm.wasm', () => createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm')),
  relatedTerms: () =>
    readAsset(
      './related-terms.bin',
      () => new URL('../../node_modules/.cache/memctl/related-terms.bin', import.meta.url)
    )
}

function readAsset(built: string, fromSource: () => string | URL): Uint8Array {
  try {
    return readFileSync(new URL(built, import.meta.url))
  } catch (error) {
    if ((error as SystemError).code !== 'ENOENT') throw error
    return readFileSync(fromSource())
  }
}
