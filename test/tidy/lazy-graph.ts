import path from 'node:path'
import { build } from 'esbuild'
import { packageOf } from './imports.ts'
import { projectRoot } from './project-files.ts'

/** Modules by path, and what each loads: at once, or when it gets there. Types load nothing and are not in it. */
export type ModuleGraph = ReadonlyMap<string, readonly { path: string; dynamic: boolean }[]>

/** The graph of what a bundler would put together from these files of the project. */
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
 * The packages among those named that are loaded together with a module, each with the way there. With `everything`, what
 * is loaded later counts too.
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

/** All modules that are loaded at once together with one, itself first. */
export function modulesLoaded(graph: ModuleGraph, from: string): string[] {
  const loaded = new Set([from])
  for (const module of loaded)
    for (const next of graph.get(module) ?? []) if (!next.dynamic) loaded.add(path.posix.normalize(next.path))
  return [...loaded]
}

/** The package that a module is part of; undefined for the project's own. */
function packageIn(module: string): string | undefined {
  const at = module.lastIndexOf('node_modules/')
  return at < 0 ? undefined : packageOf(module.slice(at + 'node_modules/'.length))
}
