import { builtinModules } from 'node:module'
import { type Import, importsOf, packageOf } from './imports.ts'
import { findLayer } from './layers.ts'
import type { Rule } from './source-text.ts'

/** Packages, and modules of Node that only compute, which a layer may use. A layer that is not named may use none. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/contract': ['zod'],
  'src/memory': ['chrono-node', 'wink-eng-lite-web-model', 'wink-nlp'],
  'src/snapshot': ['node:buffer', 'node:crypto', 'node:path'],
  'src/search': ['node:buffer', 'node:crypto', 'sql.js', 'wink-porter2-stemmer'],
  'src/documents': [
    'fflate',
    'html-to-text',
    'mammoth',
    'node:buffer',
    'node:path',
    'node:zlib',
    'postal-mime',
    'saxen',
    'unpdf'
  ],
  'src/device': ['node:buffer', 'node:crypto', 'node:path'],
  'src/client': ['@cfworker/json-schema'],
  'src/cli': ['node:buffer', 'node:path', 'node:util', 'commander', 'string-width'],
  'server/storage': ['kysely', 'libsql', 'node:buffer', 'node:crypto', 'pg'],
  'server/recall': ['node:buffer', 'node:crypto'],
  'server/providers': ['node:buffer', 'node:crypto', 'node:net', 'zod'],
  'server/sandbox': ['hono', 'node:buffer', 'node:crypto', 'zod'],
  'server/oauth': ['node:buffer', 'node:crypto', 'oauth4webapi'],
  'server/connections': ['node:crypto'],
  'server/sync': ['node:buffer', 'node:crypto', 'zod'],
  'server/http': ['hono', 'node:buffer', 'node:crypto'],
  'server/service': ['node:buffer', 'node:crypto', 'node:path'],
  'bin/node': ['@hono/node-server', 'conf', 'open', 'ora', 'pino', 'undici', '@inquirer/core', '@inquirer/prompts']
}

/** Packages that would slow the start: nothing but `import()` may load them, outside of tests. */
const HEAVY = ['@hono/node-server', 'conf', 'open', 'ora', 'pino', 'undici', '@inquirer/core', '@inquirer/prompts']

/** Layers that touch the machine: any module of Node. */
const REAL = ['bin', 'bin/node', 'test']

/** What makes `dist`. None of it goes into it. */
const BUILD = ['bin/build.mjs', 'bin/merge-chunks.mjs', 'bin/related-terms/related-terms-file.mjs']

/** Each package in the layers that the table names and nowhere else, heavy ones at first use. */
export const keepToPackages: Rule = (files) =>
  files
    .flatMap(importsOf)
    .filter((found) => !found.relative)
    .flatMap((found) => complaint(found) ?? [])

function complaint(found: Import): string | undefined {
  const layer = findLayer(found.from) ?? ''
  if (layer === 'test' || BUILD.includes(found.from)) return undefined
  const name = isNode(found.target) ? found.target : packageOf(found.target)
  const allowed = ALLOWED[layer]?.includes(name) || (REAL.includes(layer) && isNode(name))
  if (!allowed) return `${found.place}: ${layer} must not use ${name}`
  if (HEAVY.includes(name) && found.kind === 'static')
    return `${found.place}: ${name} is loaded at first use, by import()`
  return undefined
}

function isNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}
