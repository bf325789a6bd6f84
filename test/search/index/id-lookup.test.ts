import { expect, test } from 'vitest'
import { createDocumentTable, growDocumentTable } from '../../../src/search/index/document-table.ts'
import { createIdLookup } from '../../../src/search/index/id-lookup.ts'
import { hashOf } from '../make-memories.ts'

test('finds ids among thousands, even after others were removed', () => {
  const table = createDocumentTable()
  const lookup = createIdLookup(table)
  const ids = Array.from({ length: 5000 }, (_, row) => hashOf(`${row}`).subarray(0, 16))
  for (const [row, id] of ids.entries()) {
    growDocumentTable(table, row + 1)
    table.ids.set(id, row * 16)
    table.count = row + 1
    lookup.add(row)
  }
  for (let row = 0; row < ids.length; row += 3) lookup.remove(row)
  for (const [row, id] of ids.entries()) expect(lookup.find(id)).toBe(row % 3 === 0 ? undefined : row)
})

test('distinguishes ids with the same beginning', () => {
  const table = createDocumentTable(3)
  const ids = [1, 2, 3].map((last) => Uint8Array.from([...Array(15).fill(7), last]))
  for (const [row, id] of ids.entries()) table.ids.set(id, row * 16)
  table.count = 3
  const lookup = createIdLookup(table)
  lookup.remove(1)
  expect(ids.map((id) => lookup.find(id))).toEqual([0, undefined, 2])
})
