import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Assets, SystemError } from '../../src/ports.ts'

/**
 * Asset files. In a build they are beside the program; from source they are in their packages or generated from them.
 */
export const nodeAssets: Assets = {
  sqliteWasm: () =>
    readAsset('./sql-wasm.wasm', () => createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm')),
  relatedTerms: () =>
    readAsset(
      './related-terms.bin',
      () => new URL('../../node_modules/.cache/memctl/related-terms.bin', import.meta.url)
    ),
  wordVectors: () => readAsset('./word-vectors.bin', () => new URL('../word-vectors/word-vectors.bin', import.meta.url))
}

function readAsset(built: string, fromSource: () => string | URL): Uint8Array {
  try {
    return readFileSync(new URL(built, import.meta.url))
  } catch (error) {
    if ((error as SystemError).code !== 'ENOENT') throw error
    return readFileSync(fromSource())
  }
}
