import { expect, test } from 'vitest'
import { keepToLayers, LAYERS } from './layers.ts'
import { codeFiles, projectFiles } from './project-files.ts'

test('every file has a layer and imports only from layers that its own may see', () => {
  expect(keepToLayers(codeFiles())).toEqual([])
})

test('an import against the table is found, whether of a value, of a type or at run time', () => {
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

test('nothing in src may import from server or bin, and no provider the storage', () => {
  const complaints = keepToLayers([
    { path: 'src/cli/a.ts', text: "import { start } from '../../server/http/start.ts'" },
    { path: 'src/device/b.ts', text: "import { nodeFiles } from '../../bin/node/node-files.ts'" },
    { path: 'server/providers/c.ts', text: "export { open } from '../storage/open.ts'" }
  ])
  expect(complaints).toHaveLength(3)
})

test('a file outside the layers is found', () => {
  expect(keepToLayers([{ path: 'src/helpers/a.ts', text: '' }])).toEqual(['src/helpers/a.ts: belongs to no layer'])
})

test('a layer may import from itself and from the layers below it', () => {
  const text =
    "import { b } from './b.ts'\nimport { Fault } from '../contract/faults.ts'\nimport type { World } from '../ports.ts'"
  expect(keepToLayers([{ path: 'src/device/a.ts', text }])).toEqual([])
})

test('src/ARCHITECTURE.md has the same table', () => {
  const page = projectFiles().find((file) => file.path === 'src/ARCHITECTURE.md')?.text ?? ''
  const written = Object.entries(LAYERS).filter(([layer]) => layer !== 'test')
  expect(readLayers(page)).toEqual(new Map(written))
})

/** Layers of the page's table and what its last column lets them see. */
function readLayers(page: string): Map<string, readonly string[] | 'all'> {
  const rows = page.matchAll(/^\| `((?:src|server|bin)[\w/.-]*)` \|.*\|([^|]+)\|$/gm)
  return new Map(
    [...rows].map(([, layer = '', sees = '']) => {
      const names = [...sees.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      return [layer, sees.trim() === 'everything' ? 'all' : names]
    })
  )
}
