import path from 'node:path'
import { build } from 'esbuild'
import { packageOf } from './imports.ts'
import { projectRoot } from './project-files.ts'

/** Modules by path with their imports, static or dynamic. Types load nothing and are not included. */
export type ModuleGraph = ReadonlyMap<string, readonly { path: string; dynamic: boolean }[]>

/** Builds the graph that a bundler would create from these files of the project. */
export async function moduleGraph(entries: string[], root = projectRoot): Promise<ModuleGraph> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent'
  })
  const modules = Object.entries(metafile.inputs).map(([module, { imports }]) => {
    const inside = imports.filter((found) => !found.external)
    return [module, inside.map((found) => ({ path: found.path, dynamic: found.kind === 'dynamic-import' }))] as const
  })
  return new Map(modules)
}

/**
 * Returns the matching packages that are loaded together with a module, each with its import chain. With `everything`,
 * lazily loaded ones count too.
 */
export function loadedPackages(
  graph: ModuleGraph,
  from: string,
  look: { for: RegExp; everything?: boolean }
): string[] {
  const ways = new Map<string, string>([[from, from]])
  const found = new Map<string, string>()
  for (const [module, way] of ways) {
    const name = packageIn(module)
    if (name && look.for.test(name)) {
      if (!found.has(name)) found.set(name, way)
      continue
    }
    for (const next of graph.get(module) ?? []) {
      if (ways.has(next.path) || (next.dynamic && !look.everything)) continue
      ways.set(next.path, `${way} > ${path.posix.normalize(next.path)}`)
    }
  }
  return [...found].map(([name, way]) => `${name}: ${way}`)
}

/** Returns all modules that are loaded together with one, starting with itself. */
export function modulesLoaded(graph: ModuleGraph, from: string): string[] {
  const loaded = new Set([from])
  for (const module of loaded)
    for (const next of graph.get(module) ?? []) if (!next.dynamic) loaded.add(path.posix.normalize(next.path))
  return [...loaded]
}

/** Returns the package of a module, or undefined for the project's own. */
function packageIn(module: string): string | undefined {
  const at = module.lastIndexOf('node_modules/')
  return at < 0 ? undefined : packageOf(module.slice(at + 'node_modules/'.length))
}
