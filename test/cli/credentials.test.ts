import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { nodeIds } from '../../bin/node/node-ids.ts'
import { nodeSelf } from '../../bin/node/node-self.ts'
import { readCredential, removeCredential, saveCredential } from '../../src/cli/credentials/save-credential.ts'
import { withLock } from '../../src/snapshot/file/with-lock.ts'

const ONE = 'https://one.example'
const TWO = 'https://two.example'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'memctl-credentials-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** Real files in a folder of this test. */
function vault() {
  const config = join(home, 'config')
  const folders = { current: home, home, config, data: home, cache: home, temporary: home }
  const world = { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), folders }
  return { world, withLock, path: join(config, 'credentials.json') }
}

test('stores a key by origin in a file and folder that only the owner can read', async () => {
  const { path, ...keeping } = vault()
  expect(readCredential(keeping.world, ONE)).toBeUndefined()
  expect(await saveCredential(keeping, ONE, { key: 'mk_1', name: 'laptop' })).toBe(path)
  expect(readCredential(keeping.world, ONE)).toEqual({ key: 'mk_1', name: 'laptop', saved_at: expect.any(String) })
  expect(readCredential(keeping.world, TWO)).toBeUndefined()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(keeping.world.folders.config).mode & 0o777).toBe(0o700)
})

test('a new key replaces the old one of its origin and keeps the others', async () => {
  const { path, ...keeping } = vault()
  await saveCredential(keeping, ONE, { key: 'mk_1' })
  await saveCredential(keeping, TWO, { key: 'mk_2' })
  await saveCredential(keeping, ONE, { key: 'mk_3' })
  expect(Object.entries(JSON.parse(readFileSync(path, 'utf8')))).toMatchObject([
    [ONE, { key: 'mk_3' }],
    [TWO, { key: 'mk_2' }]
  ])
})

test('removes a key, and returns false if there is none', async () => {
  const { path, ...keeping } = vault()
  await saveCredential(keeping, ONE, { key: 'mk_1' })
  expect(await removeCredential(keeping, ONE)).toBe(true)
  expect(await removeCredential(keeping, ONE)).toBe(false)
  expect(readFileSync(path, 'utf8')).not.toContain('mk_1')
})

test('concurrent writers lose no keys and leave no temporary files', async () => {
  const { path, ...keeping } = vault()
  const origins = Array.from({ length: 20 }, (_, n) => `https://n${n}.example`)
  await Promise.all(origins.map((origin) => saveCredential(keeping, origin, { key: `mk_${origin.length}` })))
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8'))).sort()).toEqual([...origins].sort())
  expect(readdirSync(keeping.world.folders.config)).toEqual(['credentials.json'])
})

test('ignores and replaces the file of an interrupted writer', async () => {
  const { path, ...keeping } = vault()
  await saveCredential(keeping, ONE, { key: 'mk_1' })
  writeFileSync(`${path}.new`, 'half', { mode: 0o644 })
  await saveCredential(keeping, TWO, { key: 'mk_2' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(keeping.world.folders.config)).toEqual(['credentials.json'])
})

test('rejects a file that other users can read, with the command that fixes it', async () => {
  const { path, ...keeping } = vault()
  await saveCredential(keeping, ONE, { key: 'mk_1' })
  chmodSync(path, 0o640)
  expect(() => readCredential(keeping.world, ONE)).toThrow(
    expect.objectContaining({ code: 'invalid_input', hint: expect.stringContaining(`chmod 600 '${path}'`) })
  )
  await expect(saveCredential(keeping, TWO, { key: 'mk_2' })).rejects.toMatchObject({ code: 'invalid_input' })
})

test.each(['', '[]', '{"https://one.example":', '{"https://one.example":{"key":7}}', '{"https://one.example":null}'])(
  'names a damaged file without showing or changing its content: %s',
  async (text) => {
    const { path, ...keeping } = vault()
    await saveCredential(keeping, ONE, { key: 'mk_1' })
    const damaged = `${text}${' '.repeat(3)}`
    writeFileSync(path, damaged)
    const fault = await saveCredential(keeping, TWO, { key: 'mk_2' }).catch((error: Error) => error)
    expect(fault).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(path) })
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  }
)

test('accepts an origin with the name of a built-in object property', async () => {
  const { path: _, ...keeping } = vault()
  await saveCredential(keeping, ONE, { key: 'mk_1' })
  expect(readCredential(keeping.world, 'constructor')).toBeUndefined()
})
