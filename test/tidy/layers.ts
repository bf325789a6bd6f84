import { type Import, importsOf } from './imports.ts'
import type { Rule } from './source-text.ts'

/**
 * The layers, bottom up, and the other layers each may import from: the table of `src/ARCHITECTURE.md`. A file belongs
 * to the layer with the longest matching path.
 */
export const LAYERS: Readonly<Record<string, readonly string[] | 'all'>> = {
  // Loaded at every start of the command line, so they must not load anything else.
  'src/contract/faults.ts': [],
  'src/contract/groups.ts': [],
  'src/contract': ['src/contract/faults.ts', 'src/contract/groups.ts'],
  'src/ports.ts': [],
  'src/memory': ['contract'],
  'src/snapshot': ['src/memory', 'contract', 'src/ports.ts'],
  'src/search': ['src/memory', 'contract', 'src/ports.ts'],
  'src/documents': ['src/memory', 'contract', 'src/ports.ts'],
  'src/device': ['src/snapshot', 'src/search', 'src/memory', 'contract', 'src/ports.ts'],
  'src/ingest': ['src/documents', 'src/device', 'src/memory', 'contract', 'src/ports.ts'],
  'src/mcp': ['src/device', 'src/memory', 'contract', 'src/ports.ts'],
  'src/client': ['contract', 'src/ports.ts'],
  'src/cli': ['src/client', 'src/ingest', 'src/device', 'contract', 'src/ports.ts'],
  'server/storage': ['src/snapshot', 'contract', 'src/ports.ts'],
  'server/recall': [
    'server/storage',
    'src/device',
    'src/snapshot',
    'src/search',
    'src/memory',
    'contract',
    'src/ports.ts'
  ],
  'server/providers': ['src/documents', 'contract', 'src/ports.ts'],
  'server/sandbox': ['contract', 'src/ports.ts'],
  'server/oauth': ['server/providers', 'server/storage', 'contract', 'src/ports.ts'],
  'server/connections': ['server/oauth', 'server/providers', 'server/storage', 'contract', 'src/ports.ts'],
  'server/sync': ['server/providers', 'server/storage', 'src/documents', 'contract', 'src/ports.ts'],
  'server/http': [
    'server',
    'src/mcp',
    'src/documents',
    'src/snapshot',
    'src/search',
    'src/memory',
    'contract',
    'src/ports.ts'
  ],
  'server/service': ['server/http', 'server', 'src/documents', 'src/snapshot', 'contract', 'src/ports.ts'],
  // The real ports, which know the ports and none of their users.
  'bin/node': ['contract', 'src/ports.ts'],
  bin: 'all',
  test: 'all'
}

/** Names in the table that mean several layers. */
const SEVERAL: Readonly<Record<string, readonly string[]>> = {
  contract: ['src/contract', 'src/contract/faults.ts', 'src/contract/groups.ts'],
  server: [
    'server/storage',
    'server/recall',
    'server/providers',
    'server/sandbox',
    'server/oauth',
    'server/connections',
    'server/sync'
  ]
}

/** Forbids files outside of the layers, and imports that contradict the table. */
export const keepToLayers: Rule = (files) => {
  const code = files.filter((file) => /^(bin|src|server|test)\/.*\.(ts|mjs)$/.test(file.path))
  const outside = code.filter((file) => !findLayer(file.path)).map((file) => `${file.path}: belongs to no layer`)
  return [...outside, ...code.flatMap(importsOf).filter(isAgainstTable).map(complaint)]
}

/** Returns the layer of a path, or undefined if there is none. */
export function findLayer(path: string): string | undefined {
  const layers = Object.keys(LAYERS).filter((layer) => path === layer || path.startsWith(`${layer}/`))
  return layers.sort((a, b) => b.length - a.length)[0]
}

function isAgainstTable(found: Import): boolean {
  const from = findLayer(found.from)
  const to = findLayer(found.target)
  if (!found.relative || !from || from === to) return false
  const seen = LAYERS[from] ?? []
  return seen !== 'all' && !seen.flatMap((name) => SEVERAL[name] ?? [name]).includes(to ?? '')
}

function complaint(found: Import): string {
  return `${found.place}: ${findLayer(found.from)} must not import ${findLayer(found.target) ?? 'from outside the layers'} (${found.target})`
}
