import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceText } from './source-text.ts'

/** Absolute path of the checkout, without a slash at its end. */
export const projectRoot = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))

/** Every file that is or would be kept by git, `/` between the parts of its path, without those of `test/vectors`. */
export function projectFiles(): SourceText[] {
  const paths = (trackedPaths() ?? walkedPaths('')).filter((file) => !file.startsWith('test/vectors/'))
  return paths.sort().map((file) => ({ path: file, text: readFileSync(path.join(projectRoot, file), 'utf8') }))
}

/** The TypeScript and JavaScript among them. */
export function codeFiles(): SourceText[] {
  return projectFiles().filter((file) => /^(bin|src|server|test)\/.*\.(ts|mjs)$/.test(file.path))
}

/** Undefined where there is no git, or a checkout that git does not trust. */
function trackedPaths(): string[] | undefined {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  try {
    const listed = execFileSync('git', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
    return listed.split('\0').filter((file) => file !== '' && isFile(file))
  } catch {
    return undefined
  }
}

/** False for what git still lists though it was deleted. */
function isFile(file: string): boolean {
  return statSync(path.join(projectRoot, file), { throwIfNoEntry: false })?.isFile() === true
}

const LEFT_OUT = /^(node_modules|coverage|dist(\..*)?|\.git)$|\.(log|tgz)$/

function walkedPaths(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.test(entry.name))
    .flatMap((entry) => {
      const inside = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? walkedPaths(inside) : [inside]
    })
}
