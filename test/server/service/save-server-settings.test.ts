import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { saveServerSettings } from '../../../server/service/save-server-settings.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'

function keeping(config = join(temporaryFolder(), 'config')) {
  const world = { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), folders: { config } }
  const path = join(config, 'server.json')
  return {
    ...{ config, path },
    keep: (values: Record<string, string | undefined>) => saveServerSettings(world, values),
    read: () => JSON.parse(readFileSync(path, 'utf8'))
  }
}

test('keeps settings beside existing ones, for their owner alone, in a new folder', async () => {
  const { keep, read, path, config } = keeping()
  expect(await keep({ 'cloud_drive.client_id': 'app', 'cloud_drive.client_secret': 'hush' })).toEqual({ path })
  await keep({ port: '9000' })
  expect(read()).toEqual({ 'cloud_drive.client_id': 'app', 'cloud_drive.client_secret': 'hush', port: '9000' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await keep({ 'cloud_drive.client_secret': undefined, 'cloud_drive.client_id': undefined, 'notes.api_url': undefined })
  expect(read()).toEqual({ port: '9000' })
  expect(readdirSync(config)).toEqual(['server.json'])
})

test('restricts a readable file to its owner before a secret is written', async () => {
  const { keep, path, read } = keeping(temporaryFolder())
  writeFileSync(path, '{"port": 9000}')
  chmodSync(path, 0o644)
  await keep({ 'notes.client_secret': 'hush' })
  expect([read(), statSync(path).mode & 0o777]).toEqual([{ port: '9000', 'notes.client_secret': 'hush' }, 0o600])
})

test('changes the target of a linked file', async () => {
  const target = join(temporaryFolder(), 'elsewhere.json')
  const { keep, path } = keeping(temporaryFolder())
  writeFileSync(target, '{}')
  symlinkSync(target, path)
  await keep({ port: '9000' })
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ port: '9000' })
})

test.each([
  [{ port: 'many' }, 'port'],
  [{ port: '1', 'notes.api_url': 'http://example.com' }, 'notes.api_url'],
  [{ 'notes.client_secret': 'two hushes' }, 'notes.client_secret'],
  [{ 'gmail.client_id': 'x' }, 'gmail.client_id'],
  [{ 'gmail.client_id': undefined }, 'gmail.client_id']
])('stores nothing of %j, and names the problem', async (values, key) => {
  const { keep, path } = keeping()
  const fault = await faultOf(() => keep(values))
  expect(fault).toMatchObject({ code: 'usage', message: expect.stringContaining(key) })
  expect(inspect(fault)).not.toContain('hush')
  expect(existsSync(path)).toBe(false)
})

test('leaves a damaged file unchanged', async () => {
  const { keep, path } = keeping(temporaryFolder())
  writeFileSync(path, '{"port":')
  expect(await faultOf(() => keep({ port: '1' }))).toMatchObject({ code: 'invalid_input' })
  expect(readFileSync(path, 'utf8')).toBe('{"port":')
})

test('loses none of several settings that are saved at once', async () => {
  const { keep, read, config } = keeping()
  const ids = ['cloud_drive', 'team_chat', 'mailbox', 'notes']
  await Promise.all(ids.flatMap((id) => [keep({ [`${id}.client_id`]: id }), keep({ [`${id}.client_secret`]: id })]))
  expect(Object.keys(read())).toHaveLength(8)
  expect(readdirSync(config)).toEqual(['server.json'])
})
