import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceText } from './source-text.ts'

/** Absolute path of the checkout, without a slash at the end. */
export const projectRoot = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))

let known: readonly SourceText[] | undefined

/**
 * Returns every file of the checkout with `/` in its path, without generated files and `test/vectors`. They are read
 * once for all tests of a run, so that each is parsed once.
 */
export function projectFiles(): readonly SourceText[] {
  known ??= walkedPaths('')
    .filter((file) => !file.startsWith('test/vectors/'))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(projectRoot, file), 'utf8') }))
  return known
}

/** Returns the TypeScript and JavaScript files. */
export function codeFiles(): readonly SourceText[] {
  return projectFiles().filter((file) => /^(bin|src|server|test)\/.*\.(ts|mjs)$/.test(file.path))
}

/** Paths ignored by `.gitignore`, and git's own. */
const LEFT_OUT = /^(node_modules|coverage|dist(\..*)?|\.git)$|\.(log|tgz)$/

function walkedPaths(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.test(entry.name))
    .flatMap((entry) => {
      const inside = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? walkedPaths(inside) : [inside]
    })
}
