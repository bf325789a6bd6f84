import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachItem, listJsonMembers } from '../../../server/recall/snapshots/list-json-members.ts'

const spacing = fc.constantFrom(undefined, 1, '\t', '\r\n ')

/** Parses the parts of a text at these places. */
function valuesAt(text: Buffer, places: readonly { from: number; to: number }[]): unknown[] {
  return places.map(({ from, to }) => JSON.parse(text.toString('utf8', from, to)))
}

test("returns the places of an object's members, with any spacing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spacing, (value, space) => {
      const text = Buffer.from(`  ${JSON.stringify(value, null, space)}  `)
      const members = listJsonMembers(text, 2)
      expect(members.map(({ name }) => name)).toEqual(Object.keys(value))
      expect(valuesAt(text, members)).toEqual(JSON.parse(JSON.stringify(Object.values(value))))
    })
  )
})

test("returns the places of a list's items, with any spacing", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), spacing, (value, space) => {
      const text = Buffer.from(JSON.stringify(value, null, space))
      const places: { from: number; to: number }[] = []
      eachItem(text, 0, (from, to) => places.push({ from, to }))
      expect(valuesAt(text, places)).toEqual(JSON.parse(JSON.stringify(value)))
    })
  )
})

test('ignores brackets, quotes and backslashes in texts', () => {
  const value = { 'a"]}\\': '}]"\\', b: ['\\"[', { c: '{' }] }
  const text = Buffer.from(JSON.stringify(value))
  expect(listJsonMembers(text, 0).map(({ name }) => name)).toEqual(['a"]}\\', 'b'])
})

test('ends truncated values where the bytes end', () => {
  for (const text of ['[1,"a', '[{"a":[', '["a\\', '[']) {
    const ends: number[] = []
    eachItem(Buffer.from(text), 0, (_from, to) => ends.push(to))
    expect(ends.every((end) => end <= text.length)).toBe(true)
  }
})
