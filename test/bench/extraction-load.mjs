import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The extractor of facts as it stands in `src`, bundled at run time, so that what is measured is never an old build. */
export async function loadExtraction() {
  const folder = join(root, 'node_modules', '.cache', 'memctl-bench')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `extraction-${process.pid}.mjs`)
  await build({
    stdin: { contents: EXPORTS, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['wink-nlp', 'wink-eng-lite-web-model', 'chrono-node/en'],
    outfile,
    logLevel: 'error'
  })
  try {
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(outfile)
  }
}

const EXPORTS = `
  export { readSentences } from './src/memory/language/read-sentences.ts'
  export { factsOfSentences } from './src/memory/facts/facts-of-sentences.ts'
  export { understand } from './src/memory/understand.ts'
`
