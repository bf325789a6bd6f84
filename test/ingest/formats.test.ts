import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FORMATS } from '../../src/ingest/formats.ts'

test('has a test for every format, named after its id', () => {
  const tests = readdirSync(new URL('./formats', import.meta.url))
  const expected = FORMATS.map(({ facts }) => `${facts.id.replaceAll('_', '-')}.test.ts`)
  expect(tests.sort()).toEqual(expected.sort())
})

test('gives every format an id of its own, and a general format at the end', () => {
  const ids = FORMATS.map(({ facts }) => facts.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(FORMATS.at(-1)?.facts.general).toBeDefined()
})
