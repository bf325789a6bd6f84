import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteWriter } from '../../../src/search/index/byte-writer.ts'
import { findInBlock, readEntries, writeEntry, writePostings } from '../../../src/search/index/postings.ts'

const someLists = fc.dictionary(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '记', '👍'), minLength: 1, maxLength: 6 }),
  fc.uniqueArray(fc.nat(100_000), { minLength: 1, maxLength: 20 })
)

test('finds each term of a block with its own list, and no other', () => {
  fc.assert(
    fc.property(someLists, fc.nat(100), (lists, base) => {
      const block = blockOf(lists)
      for (const [name, documents] of Object.entries(lists)) {
        const postings = findInBlock(block, Buffer.from(name), base)
        const ascending = documents.toSorted((left, right) => left - right)
        expect([...(postings?.documents ?? [])]).toEqual(ascending.map((document) => document + base))
        expect([...(postings?.counts ?? [])]).toEqual(ascending.map(countOf))
        if (!Object.hasOwn(lists, `${name}a`)) expect(findInBlock(block, Buffer.from(`${name}a`), base)).toBeUndefined()
      }
    })
  )
})

test('reads a block in order', () => {
  fc.assert(
    fc.property(someLists, (lists) => {
      const names = [...readEntries(blockOf(lists))].length
      expect(names).toBe(Object.keys(lists).length)
      const walked: string[] = []
      for (const { name } of readEntries(blockOf(lists))) walked.push(Buffer.from(name).toString())
      expect(walked).toEqual(Object.keys(lists).sort())
    })
  )
})

function countOf(document: number): number {
  return 1 + (document % 255)
}

function blockOf(lists: Record<string, number[]>): Uint8Array {
  const block = createByteWriter()
  let before = new Uint8Array(0)
  for (const name of Object.keys(lists).sort()) {
    const documents = Uint32Array.from(lists[name] ?? []).sort()
    const list = createByteWriter()
    writePostings(list, documents, Uint8Array.from(documents, countOf))
    const bytes = new Uint8Array(Buffer.from(name))
    writeEntry(block, { name: bytes, before, list: list.view(), documents: documents.length })
    before = bytes
  }
  return block.view()
}
