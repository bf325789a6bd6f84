import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Assets, SystemError } from '../../src/ports.ts'

/** Files that belong to the program: beside it when it is built, in their packages when it runs from source. */
export const nodeAssets: Assets = {
  sqliteWasm: () => {
    try {
      return readFileSync(new URL('./sql-wasm.wasm', import.meta.url))
    } catch (error) {
      if ((error as SystemError).code !== 'ENOENT') throw error
      return readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'))
    }
  }
}
