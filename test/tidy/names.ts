import type { Rule } from './source-text.ts'

/** The allowed entries of the top level. */
const TOP = new Set([
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'llms.txt'],
  ...['.gitignore', '.gitattributes', '.npmrc', '.ci', '.github', 'bin', 'src', 'server', 'test']
])

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/

/** Requires kebab-case for folders and code. Documents and data are named as their readers expect. */
export const nameInKebabCase: Rule = (files) =>
  files.flatMap(({ path }) => {
    const parts = path.split('/')
    const isCode = /\.(ts|mjs)$/.test(path)
    const odd = parts.filter(
      (part, at) => part !== '.ci' && part !== '.github' && (isCode || at < parts.length - 1) && !KEBAB.test(part)
    )
    return odd.map((part) => `${path}: ${part} is not in kebab-case`)
  })

/** Forbids new entries of the top level: a new tool has to store its settings elsewhere. */
export const keepTheTopLevel: Rule = (files) => {
  const top = new Set(files.map(({ path }) => path.split('/', 1).join()))
  return [...top].filter((name) => !TOP.has(name)).map((name) => `${name}: does not belong at the top level`)
}
