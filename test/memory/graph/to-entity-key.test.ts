import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEntityKey } from '../../../src/memory/graph/to-entity-key.ts'
import { cpuMs } from '../../setup/cpu-time.ts'

test.each([
  ['Mia Berg', 'mia berg'],
  ['MIA  Berg\u00a0', 'mia berg'],
  ['Dr. Mia Berg', 'mia berg'],
  ['Prof. Dr. Berg', 'berg'],
  ["Mia's", 'mia'],
  ['Mia’s brother', 'mia brother'],
  ["James'", 'james'],
  ['The Harbour Office', 'harbour office'],
  ['"Northwind Ltd."', 'northwind ltd'],
  ['Mia.Berg@Post.EXAMPLE', 'mia.berg@post.example'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ﬁnch', 'finch'],
  ['C++', 'c++'],
  ['Mia\u0000Berg', 'mia berg']
])('converts the name %j to the key %j', (name, key) => {
  expect(toEntityKey(name)).toBe(key)
})

test.each(['The', 'Dr.', 'a', "'s", '"', 'The Dr.'])('never makes %j empty', (name) => {
  expect(toEntityKey(name)).not.toBe('')
})

test('gives a name of white space alone an empty key', () => {
  expect(toEntityKey(' \t\n')).toBe('')
})

test('returns a key unchanged', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('the', ' ', "'s", "'", 'Dr.', 's', 'a', '"', '.', 'ß', 'Σ', 'İ', 'ﬁ'))
      .map((parts) => parts.join(''))
  )
  fc.assert(
    fc.property(odd, (name) => toEntityKey(toEntityKey(name)) === toEntityKey(name)),
    { numRuns: 2000 }
  )
})

test('ignores case', () => {
  fc.assert(fc.property(fc.string(), (name) => toEntityKey(name.toUpperCase()) === toEntityKey(name.toLowerCase())))
})

test.each([' ', '"', "'s", 'the ', "the '", '.', 'Dr. "'])(
  'converts a very long name of %j in linear time',
  async (part) => {
    const name = `Mia${part.repeat(200_000)}Berg`
    const ms = await cpuMs(() => {
      expect(toEntityKey(name)).toMatch(/berg$/)
      expect(toEntityKey(part.repeat(200_000))).toEqual(expect.any(String))
    })
    expect(ms).toBeLessThan(CPU_MS_MAX)
  }
)

/** Processor time, for work that takes a quarter of a second. */
const CPU_MS_MAX = 10_000
