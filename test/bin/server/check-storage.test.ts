import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { localThread } from '../../../bin/node/threads/thread-starter.ts'
import { checkServerStorage, listAside } from '../../../bin/server/check-server-storage.ts'
import { storageMain } from '../../../bin/threads/storage-main.ts'
import { lockDataFolder } from '../../../server/service/lock-data-folder.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { StartThread } from '../../../src/ports.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { filled, runInFile } from '../../server/storage/check-kit.ts'
import { idAt } from '../../suites/storage-place.ts'

const startThread: StartThread = (_, data) => localThread(storageMain, data as { path: string })
const world = { clock: nodeClock, ids: nodeIds, files: nodeFiles, self: nodeSelf(), startThread }
const check = { signal: new AbortController().signal, onProgress: () => undefined }

function settingsIn(folder: string) {
  const folders = { current: folder, config: folder, data: folder }
  return readServerSettings({ settings: { MEMCTL_DATA_DIR: folder }, files: nodeFiles, folders }).settings
}

/** Creates a data folder whose database has one damaged line and one wrong counter. */
async function damagedFolder(): Promise<string> {
  const folder = temporaryFolder()
  const file = join(folder, 'server.db')
  const storage = await openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock })
  await filled(storage)
  await storage.close()
  runInFile(file, `update records set line = x'7b7d' where collection_id = '${idAt(2)}'`)
  runInFile(file, `update collections set memories = 8 where id = '${idAt(1)}'`)
  return folder
}

test('finds damage while a server uses the folder, and repairs it after the server has stopped', async () => {
  const folder = await damagedFolder()
  const settings = settingsIn(folder)
  const progress: number[] = []
  await lockDataFolder(world, folder, async () => {
    const onProgress = ({ rows }: { rows: number }): void => void progress.push(rows)
    const found = await checkServerStorage(settings, world, { ...check, onProgress, repair: false })
    expect(found).toMatchObject({ lines: 6, found: 2, set_aside: 0, corrected: 0 })
    expect(found.findings.map(({ table, outcome }) => `${table} ${outcome}`)).toEqual([
      'collections found',
      'records found'
    ])
    expect(await faultOf(() => checkServerStorage(settings, world, { ...check, repair: true }))).toMatchObject({
      code: 'locked',
      hint: `memctl server stop --data-dir '${folder}', then memctl server check --repair`
    })
  })
  expect(progress.at(-1)).toBeGreaterThan(8)
  expect(await listAside(settings, world)).toEqual([])

  const repaired = await checkServerStorage(settings, world, { ...check, repair: true })
  expect(repaired).toMatchObject({ found: 0, set_aside: 1, corrected: 1 })
  const again = await checkServerStorage(settings, world, { ...check, repair: true })
  expect(again).toMatchObject({ lines: 5, found: 0, set_aside: 0, corrected: 0, findings: [] })
  expect(await listAside(settings, world)).toMatchObject([
    {
      table: 'records',
      collection_id: idAt(2),
      contents: { line: { base64: Buffer.from('{}').toString('base64') } }
    }
  ])
})

test('stops when told to', async () => {
  const settings = settingsIn(await damagedFolder())
  const stopping = new AbortController()
  const stopped = checkServerStorage(settings, world, {
    repair: false,
    signal: stopping.signal,
    onProgress: () => stopping.abort(new Error('stopped'))
  })
  await expect(stopped).rejects.toThrow('stopped')
})

test('reports that there is nothing to check if nothing was ever stored', async () => {
  const settings = settingsIn(temporaryFolder())
  for (const repair of [false, true])
    expect(await faultOf(() => checkServerStorage(settings, world, { ...check, repair }))).toMatchObject({
      code: 'not_found'
    })
})
