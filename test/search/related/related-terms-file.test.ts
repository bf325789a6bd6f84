import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRelatedTerms } from '../../../bin/related-terms/encode-related-terms.ts'
import { createRelatedTerms } from '../../../src/search/related/related-terms.ts'
import { LAYOUT, type TermRelations } from '../../../src/search/related/related-terms-layout.ts'

const weighed = (...terms: string[]) => terms.map((term, nth) => ({ term, weight: 1 - 0.25 * (nth % 4) }))
const byWeight = (list: TermRelations['forms']) => [...list].sort((a, b) => b.weight - a.weight)

test('reads what was written, at any place in a block', () => {
  const names = Array.from({ length: 100 }, (_, nth) => `term${'abcdefgh'[nth % 8]}${nth}`)
  const table = new Map(
    names.map((name, nth) => [
      name,
      { forms: weighed(`${name}s`), related: byWeight(weighed(...names.slice(0, nth % 9).filter((it) => it !== name))) }
    ])
  )
  const read = createRelatedTerms(encodeRelatedTerms(table))
  for (const [name, relations] of table) {
    expect(read.of(name)).toEqual(relations)
    expect(read.of(`${name}s`)).toEqual({ forms: [], related: [] })
    expect(read.of(`${name}_`)).toEqual({ forms: [], related: [] })
  }
})

test('gives the same file for any order of the table', () => {
  const rows = ['b', 'a', 'c'].map((name) => [name, { forms: [], related: weighed('x', 'y') }] as const)
  expect(encodeRelatedTerms(new Map(rows))).toEqual(encodeRelatedTerms(new Map([...rows].reverse())))
})

test('reads an empty file without terms', () => {
  expect(createRelatedTerms(encodeRelatedTerms(new Map())).of('a')).toEqual({ forms: [], related: [] })
})

test('reads a view into a larger buffer', () => {
  const bytes = encodeRelatedTerms(new Map([['went', { forms: weighed('go'), related: [] }]]))
  const within = Buffer.concat([Buffer.alloc(3, 7), bytes, Buffer.alloc(5, 7)]).subarray(3, 3 + bytes.length)
  expect(createRelatedTerms(within).of('went').forms).toEqual([{ term: 'go', weight: 1 }])
})

test('refuses to write terms that exceed the format', () => {
  expect(() => encodeRelatedTerms(new Map([['né', { forms: weighed('a'), related: [] }]]))).toThrow(
    'not a related term'
  )
  const many = Array.from(
    { length: LAYOUT.TERMS_MAX + 1 },
    (_, nth) => [`t${nth}`, { forms: [], related: [] }] as const
  )
  expect(() => encodeRelatedTerms(new Map(many))).toThrow('at most')
})

test('rejects bytes of another format or version, and truncated ones', () => {
  const bytes = encodeRelatedTerms(new Map([['went', { forms: weighed('go'), related: [] }]]))
  for (let length = 0; length < bytes.length; length++) {
    expect(() => createRelatedTerms(bytes.subarray(0, length))).toThrow(/not a file of related terms|truncated/)
  }
  expect(() => createRelatedTerms(Buffer.from('SQLite format 3\0 and more'))).toThrow('not a file of related terms')
  const other = bytes.slice()
  other[4] = 9
  expect(() => createRelatedTerms(other)).toThrow('unsupported version 9')
})

test('returns a result or an error for flipped bits, and always ends', () => {
  const table = new Map(
    Array.from(
      { length: 60 },
      (_, nth) => [`t${nth}`, { forms: [], related: weighed(`t${59 - nth}`, `u${nth}`) }] as const
    )
  )
  const bytes = encodeRelatedTerms(table)
  const turned = fc.record({
    at: fc.integer({ min: 12, max: bytes.length - 1 }),
    byte: fc.integer({ min: 0, max: 255 })
  })
  fc.assert(
    fc.property(fc.array(turned, { minLength: 1, maxLength: 8 }), (hits) => {
      const damaged = bytes.slice()
      for (const { at, byte } of hits) damaged[at] = byte
      for (const term of ['t0', 't33', 't59', 'u7', '', 'zz']) answersOrRefuses(damaged, term)
    })
  )
})

/** Reads damaged bytes, which must give a result or an error of truncation. */
function answersOrRefuses(bytes: Uint8Array, term: string): void {
  try {
    expect(createRelatedTerms(bytes).of(term).related).toBeInstanceOf(Array)
  } catch (error) {
    expect(String(error)).toContain('truncated')
  }
}
