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
  const bundle = await bundleSource(exports, external)
  try {
    return await bundle.load()
  } finally {
    bundle.remove()
  }
}

/**
 * The same, to be loaded several times: each `load` gives modules of their own, which rank by the numbers of `RANKING` but for
 * those that `override` names. An override has the shape of `RANKING` as far as it goes; lists are replaced as a whole.
 */
export async function bundleSource(exports, external) {
  const folder = join(root, 'node_modules', '.cache', 'memctl-bench')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `bundle-${process.pid}-${bundles++}.mjs`)
  await build({
    stdin: { contents: exports, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    outfile,
    logLevel: 'error',
    plugins: [overridableRanking]
  })
  let loads = 0
  return {
    load(override = {}) {
      const url = pathToFileURL(outfile)
      url.searchParams.set('load', loads++)
      url.searchParams.set('ranking', JSON.stringify(override))
      return import(url.href)
    },
    remove: () => rmSync(outfile)
  }
}

let bundles = 0

const CONSTANTS = /\/ranking-constants\.ts$/
const WRAPPED = 'wrapped-ranking'

/** Puts a module in the place of the ranking constants that gives them as they are, less what the bundle's address overrides. */
const overridableRanking = {
  name: WRAPPED,
  setup(building) {
    building.onResolve({ filter: CONSTANTS }, async ({ path, ...from }) => {
      if (from.namespace === WRAPPED || from.pluginData === WRAPPED) return undefined
      const { resolveDir, kind, importer } = from
      const found = await building.resolve(path, { resolveDir, kind, importer, pluginData: WRAPPED })
      return { path: found.path, namespace: WRAPPED }
    })
    building.onLoad({ filter: CONSTANTS, namespace: WRAPPED }, ({ path }) => ({
      contents: wrapping(JSON.stringify(path)),
      resolveDir: dirname(path),
      loader: 'js'
    }))
  }
}

function wrapping(path) {
  return `
    import { RANKING as OWN } from ${path}
    export * from ${path}
    export const RANKING = merged(OWN, JSON.parse(new URL(import.meta.url).searchParams.get('ranking')), 'RANKING')
    ${merged}
  `
}

/**
 * `own` with what `override` names in its place. A name that `own` lacks, or has another kind of value for, is a mistake: the cue
 * that was to be switched off is now set elsewhere.
 */
function merged(own, override, where) {
  const kindOf = (value) => (Array.isArray(value) ? 'list' : typeof value)
  const made = { ...own }
  for (const [name, value] of Object.entries(override)) {
    if (kindOf(own[name]) !== kindOf(value))
      throw new Error(`${where}.${name} is ${kindOf(own[name])}, not ${kindOf(value)}`)
    made[name] = kindOf(value) === 'object' ? merged(own[name], value, `${where}.${name}`) : value
  }
  return made
}
