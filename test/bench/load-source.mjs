import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Bundles and loads the given exports of `src` (lines of `export … from './src/…'`) at run time, so that no old build
 * is measured. `external` packages are loaded unbundled, and patterns stay literals, as in `bin/build.mjs`.
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
 * Bundles modules to be loaded repeatedly. Each `load` returns separate modules whose `RANKING` has the parameters in
 * `override`. An override is a partial `RANKING`; lists are replaced completely.
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
    supported: { 'regexp-unicode-property-escapes': true },
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

/** Replaces the module of ranking constants by one that applies the overrides in the bundle's URL. */
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
 * Merges `override` into `own`. A name that `own` lacks, or whose value has another type, is an error: the parameter of
 * the signal has moved.
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
