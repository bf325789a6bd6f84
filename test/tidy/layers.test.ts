import { expect, test } from 'vitest'
import { keepToLayers, LAYERS } from './layers.ts'
import { projectFiles } from './project-files.ts'

test('finds a forbidden import of a value, of a type or at run time', () => {
  const complaints = keepToLayers([
    { path: 'src/search/a.ts', text: "import { append } from '../snapshot/append-lines.ts'" },
    { path: 'src/cli/b.ts', text: "import type { Header } from '../snapshot/record/create-header.ts'" },
    { path: 'src/memory/c.ts', text: "const d = await import('../device/device.ts')" },
    { path: 'src/contract/faults.ts', text: "import { Time } from './snapshot.ts'" }
  ])
  expect(complaints).toEqual([
    'src/search/a.ts:1: src/search must not import src/snapshot (src/snapshot/append-lines.ts)',
    'src/cli/b.ts:1: src/cli must not import src/snapshot (src/snapshot/record/create-header.ts)',
    'src/memory/c.ts:1: src/memory must not import src/device (src/device/device.ts)',
    'src/contract/faults.ts:1: src/contract/faults.ts must not import src/contract (src/contract/snapshot.ts)'
  ])
})

test('forbids src to import from server or bin, and providers to import the storage', () => {
  const complaints = keepToLayers([
    { path: 'src/cli/a.ts', text: "import { start } from '../../server/http/start.ts'" },
    { path: 'src/device/b.ts', text: "import { nodeFiles } from '../../bin/node/node-files.ts'" },
    { path: 'server/providers/c.ts', text: "export { open } from '../storage/open.ts'" }
  ])
  expect(complaints).toHaveLength(3)
})

test('finds a file outside of the layers', () => {
  expect(keepToLayers([{ path: 'src/helpers/a.ts', text: '' }])).toEqual(['src/helpers/a.ts: belongs to no layer'])
})

test('allows a layer to import from itself and from the layers below it', () => {
  const text =
    "import { b } from './b.ts'\nimport { Fault } from '../contract/faults.ts'\nimport type { World } from '../ports.ts'"
  expect(keepToLayers([{ path: 'src/device/a.ts', text }])).toEqual([])
})

test('has the same table in src/ARCHITECTURE.md', () => {
  const page = projectFiles().find((file) => file.path === 'src/ARCHITECTURE.md')?.text ?? ''
  const written = Object.entries(LAYERS).filter(([layer]) => layer !== 'test')
  expect(readLayers(page)).toEqual(new Map(written))
})

/** Parses the layers of the document's table with the visible layers in its last column. */
function readLayers(page: string): Map<string, readonly string[] | 'all'> {
  const rows = page.matchAll(/^\| `((?:src|server|bin)[\w/.-]*)` \|.*\|([^|]+)\|$/gm)
  return new Map(
    [...rows].map(([, layer = '', sees = '']) => {
      const names = [...sees.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      return [layer, sees.trim() === 'everything' ? 'all' : names]
    })
  )
}
