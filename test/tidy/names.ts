import type { Rule } from './source-text.ts'

/** What may stand at the top of the project. */
const TOP = new Set([
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE'],
  ...['.gitignore', '.gitattributes', '.npmrc', '.ci', 'bin', 'src', 'server', 'test']
])

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/

/** Folders and code in kebab-case. Documents and data are named as their readers expect. */
export const nameInKebabCase: Rule = (files) =>
  files.flatMap(({ path }) => {
    const parts = path.split('/')
    const isCode = /\.(ts|mjs)$/.test(path)
    const odd = parts.filter((part, at) => part !== '.ci' && (isCode || at < parts.length - 1) && !KEBAB.test(part))
    return odd.map((part) => `${path}: ${part} is not in kebab-case`)
  })

/** The top level stays as it is: a new tool finds another place for its settings. */
export const keepTheTopLevel: Rule = (files) => {
  const top = new Set(files.map(({ path }) => path.split('/', 1).join()))
  return [...top].filter((name) => !TOP.has(name)).map((name) => `${name}: does not belong at the top level`)
}
