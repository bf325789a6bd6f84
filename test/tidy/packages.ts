import { builtinModules } from 'node:module'
import { type Import, importsOf, packageOf } from './imports.ts'
import { findLayer } from './layers.ts'
import type { Rule } from './source-text.ts'

/** Packages, and pure Node modules, that a layer may use. A layer that is not listed may use none. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/contract': ['zod'],
  'src/memory': ['chrono-node', 'wink-eng-lite-web-model', 'wink-nlp', 'yaml'],
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
  'src/ingest': ['node:buffer', 'node:crypto', 'node:path', 'node:stream', 'node:zlib', 'postal-mime', 'yaml'],
  'src/mcp': ['@modelcontextprotocol/server', 'node:buffer', 'node:crypto', 'node:stream', 'zod'],
  'src/client': ['@cfworker/json-schema'],
  'src/cli': ['node:buffer', 'node:path', 'node:util', 'commander', 'smol-toml', 'string-width'],
  'server/storage': ['kysely', 'libsql', 'node:buffer', 'node:crypto', 'pg'],
  'server/recall': ['node:buffer', 'node:crypto'],
  'server/providers': ['node:buffer', 'node:crypto', 'node:net', 'zod'],
  'server/sandbox': ['hono', 'node:buffer', 'node:crypto', 'zod'],
  'server/oauth': ['node:buffer', 'node:crypto', 'oauth4webapi'],
  'server/connections': ['node:crypto'],
  'server/sync': ['node:buffer', 'node:crypto', 'zod'],
  'server/http': ['hono', 'node:buffer', 'node:crypto'],
  'server/service': ['node:buffer', 'node:crypto', 'node:path'],
  bin: ['@anthropic-ai/sdk', '@langchain/langgraph-checkpoint', 'ai'],
  'bin/node': ['@hono/node-server', 'conf', 'open', 'ora', 'pino', 'undici', '@inquirer/core', '@inquirer/prompts']
}

/** Packages that would slow the start. Outside of tests, only `import()` may load them. */
const HEAVY = ['@hono/node-server', 'conf', 'open', 'ora', 'pino', 'undici', '@inquirer/core', '@inquirer/prompts']

/** Layers that access the machine and may use any Node module. */
const REAL = ['bin', 'bin/node', 'test']

/** The build scripts, which are not part of `dist`. */
const BUILD = [
  'bin/build.mjs',
  'bin/merge-chunks.mjs',
  'bin/related-terms/related-terms-file.mjs',
  'bin/word-vectors/make-word-vectors.mjs'
]

/** Restricts each package to the layers in the table, and heavy ones to lazy loading. */
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
