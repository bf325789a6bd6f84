import path from 'node:path'
import { type Import, importsOf } from './imports.ts'
import type { Rule, SourceText } from './source-text.ts'

const FOLDER_FILES_MAX = 25

/** A shorter file that only one file of its folder imports belongs inside that file. */
const OWN_FILE_LINES_MIN = 80

/** Files that may be short: those that resemble their neighbours, and word lists beside their rule. */
const OWN_FILES =
  /^(src\/contract\/endpoints|src\/ingest\/formats\/[\w-]+|server\/http\/handlers|server\/(providers|sandbox)\/[\w-]+)\/|-words\.ts$|\.mjs$/

/** Limits the number of files in a folder. */
export const keepFoldersSmall: Rule = (files) => {
  const counts = new Map<string, number>()
  for (const { path: file } of sourceFiles(files)) {
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > FOLDER_FILES_MAX ? [`${folder}: ${count} files, at most ${FOLDER_FILES_MAX}`] : []
  )
}

/** Forbids folders that import from each other, types included. */
export const keepFoldersOneWay: Rule = (files) => {
  const ways = new Set(
    importsBetween(files).map(({ from, target }) => `${path.posix.dirname(from)} ${path.posix.dirname(target)}`)
  )
  return [...ways].flatMap((way) => {
    const [from = '', to = ''] = way.split(' ')
    return from < to && ways.has(`${to} ${from}`) ? [`${from} and ${to} import from each other`] : []
  })
}

/** Forbids import cycles, types included. Each cycle is reported once, by its files. */
export const keepImportsAcyclic: Rule = (files) => {
  const targets = new Map<string, Set<string>>()
  for (const { from, target } of importsBetween(files))
    targets.set(from, (targets.get(from) ?? new Set<string>()).add(target))
  return findCycles(targets).map((cycle) => `${cycle.sort().join(', ')}: import each other`)
}

/**
 * Forbids short files that only one file of their folder imports, unless a test imports them too or they are loaded
 * lazily.
 */
export const keepFilesWhole: Rule = (files) => {
  const imports = files.flatMap(importsOf).filter(({ relative }) => relative)
  const importers = new Map<string, Import[]>()
  for (const found of imports) importers.set(found.target, [...(importers.get(found.target) ?? []), found])
  return sourceFiles(files).flatMap(({ path: file, text }) => {
    if (OWN_FILES.test(file)) return []
    const lines = text.split('\n').length - 1
    const own = importers.get(file) ?? []
    const from = new Set(own.map((found) => found.from))
    const [only] = from
    if (lines >= OWN_FILE_LINES_MIN || from.size !== 1 || own.some(({ kind }) => kind === 'dynamic')) return []
    if (only === undefined || path.posix.dirname(only) !== path.posix.dirname(file)) return []
    return [`${file}: ${lines} lines, and only ${only} imports it: it belongs there`]
  })
}

/** Finds groups of files that reach each other (Tarjan, "Depth-first search and linear graph algorithms", 1972). */
function findCycles(targets: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const [index, low, stack, cycles] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][]
  ]
  const visit = (file: string): void => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    stack.push(file)
    for (const to of targets.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      const reached = stack.includes(to) ? (low.get(to) ?? own) : own
      low.set(file, Math.min(low.get(file) ?? own, reached))
    }
    if (low.get(file) !== own) return
    const cycle = stack.splice(stack.indexOf(file))
    if (cycle.length > 1) cycles.push(cycle)
  }
  for (const file of targets.keys()) if (!index.has(file)) visit(file)
  return cycles
}

function importsBetween(files: readonly SourceText[]): Import[] {
  return sourceFiles(files)
    .flatMap(importsOf)
    .filter(({ relative, target }) => relative && /\.(ts|mjs)$/.test(target))
}

function sourceFiles(files: readonly SourceText[]): SourceText[] {
  return files.filter(({ path: file }) => /^(bin|src|server)\/.*\.(ts|mjs)$/.test(file))
}
