import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * What `exports` names of `src` (lines of `export … from './src/…'`), bundled at run time, so that what is measured is never
 * an old build. `external` packages are loaded as they are.
 */
export async function loadSource(exports, external) {
  const folder = join(root, 'node_modules', '.cache', 'memctl-bench')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `bundle-${process.pid}.mjs`)
  await build({
    stdin: { contents: exports, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    outfile,
    logLevel: 'error'
  })
  try {
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(outfile)
  }
}
