import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FORMATS } from '../../src/ingest/formats.ts'

test('has a test for every format, named after its folder', () => {
  const folders = readdirSync(new URL('../../src/ingest/formats', import.meta.url)).sort()
  const tests = readdirSync(new URL('./formats', import.meta.url)).map((name) => name.replace('.test.ts', ''))
  expect(folders.filter((folder) => !tests.includes(folder))).toEqual([])
})

test('gives every format an id of its own, and a general format at the end', () => {
  const ids = FORMATS.map(({ facts }) => facts.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(FORMATS.at(-1)?.facts.general).toBeDefined()
})
