import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachItem, listJsonMembers } from '../../../server/recall/snapshots/list-json-members.ts'

const spacing = fc.constantFrom(undefined, 1, '\t', '\r\n ')

/** The parts of a text between these places, as values. */
function valuesAt(text: Buffer, places: readonly { from: number; to: number }[]): unknown[] {
  return places.map(({ from, to }) => JSON.parse(text.toString('utf8', from, to)))
}

test('the members of an object stand where they are said to, however it is spaced', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spacing, (value, space) => {
      const text = Buffer.from(`  ${JSON.stringify(value, null, space)}  `)
      const members = listJsonMembers(text, 2)
      expect(members.map(({ name }) => name)).toEqual(Object.keys(value))
      expect(valuesAt(text, members)).toEqual(JSON.parse(JSON.stringify(Object.values(value))))
    })
  )
})

test('the items of a list stand where they are said to, however it is spaced', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), spacing, (value, space) => {
      const text = Buffer.from(JSON.stringify(value, null, space))
      const places: { from: number; to: number }[] = []
      eachItem(text, 0, (from, to) => places.push({ from, to }))
      expect(valuesAt(text, places)).toEqual(JSON.parse(JSON.stringify(value)))
    })
  )
})

test('brackets, quotes and backslashes in texts end nothing', () => {
  const value = { 'a"]}\\': '}]"\\', b: ['\\"[', { c: '{' }] }
  const text = Buffer.from(JSON.stringify(value))
  expect(listJsonMembers(text, 0).map(({ name }) => name)).toEqual(['a"]}\\', 'b'])
})

test('what is cut off ends where the bytes end', () => {
  for (const text of ['[1,"a', '[{"a":[', '["a\\', '[']) {
    const ends: number[] = []
    eachItem(Buffer.from(text), 0, (_from, to) => ends.push(to))
    expect(ends.every((end) => end <= text.length)).toBe(true)
  }
})
