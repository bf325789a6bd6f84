import { expect, test } from 'vitest'
import { mergePlaceNames } from '../../../server/providers/port/merge-place-names.ts'
import { connectionsKit } from './connections-kit.ts'

const NAMES = { include: 'names' } as const

test('adds the names of the account and of the selection only on request', async () => {
  const findPlaceName = async (_call: unknown, id: string) => (id === 'a' ? 'Plans \u001b[31m2026' : 'b')
  const { connections, connect } = await connectionsKit({ browsing: { findPlaceName } })
  const { id } = await connect(1, 'cloud_drive')
  const body = { apply: 'full_resync', check_ids: true, config: { folder_ids: ['a', 'b'] } }
  const selection = [
    { id: 'a', name: 'Plans [31m2026' },
    { id: 'b', name: 'b' }
  ]
  expect(await connections.configure(id, body, NAMES)).toMatchObject({ account_name: 'ada@example.com', selection })
  expect(await connections.list((await connections.get(id)).collection_id, NAMES)).toMatchObject([{ selection }])
  expect(Object.keys(await connections.get(id))).toHaveLength(13)
  expect(Object.keys(await connections.get(id, NAMES))).toHaveLength(15)
})

test('keeps the names of folders that stay selected, and shows the id of a folder without a name', async () => {
  const findPlaceName = async (_call: unknown, id: string) => `name of ${id}`
  const { connections, connect } = await connectionsKit({ browsing: { findPlaceName } })
  const { id } = await connect(1, 'cloud_drive')
  await connections.configure(id, { apply: 'full_resync', check_ids: true, folder_ids: ['a', 'b'] })
  const unchecked = await connections.configure(id, { apply: 'full_resync', folder_ids: ['b', 'c'] }, NAMES)
  expect(unchecked.selection).toEqual([
    { id: 'b', name: 'name of b' },
    { id: 'c', name: 'c' }
  ])
})

test('shortens long names, drops names without a visible character, and those that are not selected', () => {
  const learned = [
    ['a', 'x'.repeat(5000)],
    ['b', '\u200b'],
    ['c', 'C']
  ] as const
  const names = mergePlaceNames({ b: 'before', d: 'gone' }, learned, ['a', 'b'])
  expect(names).toEqual({ a: expect.stringMatching(/^x{199}…$/) })
})
