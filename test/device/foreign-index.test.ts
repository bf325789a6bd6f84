import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeAssets } from '../../bin/node/node-assets.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { INDEX_VERSION, sealBytes } from '../../src/search/index/seal-bytes.ts'
import { loadSqlite } from '../../src/search/index/sqlite.ts'
import { bench, found } from './device-kit.ts'

/** Puts a complete sealed database into the cache that this version did not create, and searches. */
async function searchOver(version: number, tables: string) {
  const { cache, device, another } = await bench()
  await device.store({ text: 'the first plan' })
  await device.search('plan')
  const database = (await loadSqlite(nodeAssets))()
  database.run(`PRAGMA user_version = ${version}; ${tables}`)
  const bytes = sealBytes(database.export())
  const folder = join(cache, 'index')
  for (const name of nodeFiles.list(folder)) if (name.endsWith('.sqlite')) writeFileSync(join(folder, name), bytes)
  return { first: await another().search('plan'), second: await another().search('plan') }
}

test.each([
  ['an older version', INDEX_VERSION - 1, 'CREATE TABLE meta (key, value)'],
  ['a later version', INDEX_VERSION + 1, 'CREATE TABLE meta (key, value)'],
  ['this version without our tables', INDEX_VERSION, 'CREATE TABLE notes (text)'],
  ['this version with other columns', INDEX_VERSION, 'CREATE TABLE segments (name); CREATE TABLE meta (name)']
])('rebuilds an index of %s once, and reports it', async (_name, version, tables) => {
  const { first, second } = await searchOver(version, tables)
  expect(found(first)).toEqual(['the first plan'])
  expect(first.notes).toEqual([expect.stringMatching(/^the index was rebuilt: \S/)])
  expect(second.notes).toEqual([])
})
