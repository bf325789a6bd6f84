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
])('the name %j is compared as %j', (name, key) => {
  expect(toEntityKey(name)).toBe(key)
})

test.each(['The', 'Dr.', 'a', "'s", '"', 'The Dr.'])('of %j something is left', (name) => {
  expect(toEntityKey(name)).not.toBe('')
})

test('a name of white space alone has an empty key', () => {
  expect(toEntityKey(' \t\n')).toBe('')
})

test('the key of a key is the key', () => {
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

test('case does not matter', () => {
  fc.assert(fc.property(fc.string(), (name) => toEntityKey(name.toUpperCase()) === toEntityKey(name.toLowerCase())))
})

test.each([' ', '"', "'s", 'the ', "the '", '.', 'Dr. "'])('a very long name of %j takes no time', async (part) => {
  const name = `Mia${part.repeat(200_000)}Berg`
  const ms = await cpuMs(() => {
    expect(toEntityKey(name)).toMatch(/berg$/)
    expect(toEntityKey(part.repeat(200_000))).toEqual(expect.any(String))
  })
  expect(ms).toBeLessThan(CPU_MS_MAX)
})

/** Of processor time, for work that takes a quarter of a second. */
const CPU_MS_MAX = 10_000
