import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { nodeSelf } from '../../../bin/node/node-self.ts'
import { lockDataFolder, shareDataFolder } from '../../../server/service/lock-data-folder.ts'
import {
  readRunningFacts,
  removeRunningFacts,
  runningFactsPath,
  writeRunningFacts
} from '../../../server/service/read-running-facts.ts'
import type { RunningServer } from '../../../src/contract/running-server.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'

/** Creates a clock whose waits take no time. */
function quickClock() {
  let ticks = 0
  const wait = async (ms: number): Promise<void> => {
    ticks += ms
  }
  return { ...nodeClock, ticks: () => ticks, wait }
}

const world = () => ({ clock: quickClock(), files: nodeFiles, ids: nodeIds, self: nodeSelf() })

test('creates a data folder for its owner alone, and lets one server use it at a time', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const result = await lockDataFolder(world(), folder, async () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const second = await faultOf(() => lockDataFolder(world(), folder, async () => 'second'))
    expect(second).toMatchObject({ code: 'locked', exitCode: 6 })
    expect(String(second)).toContain(`process ${process.pid}`)
    const hint = `memctl server stop --data-dir '${folder}'; or start this server with another --data-dir and --port`
    expect(second).toMatchObject({ hint, next: [`memctl server stop --data-dir '${folder}'`, expect.anything()] })
    return 'first'
  })
  expect(result).toBe('first')
  expect(readdirSync(folder)).toEqual([])
})

test('takes over the lock of a killed server', async () => {
  const folder = temporaryFolder()
  const { host, bootId, pidNamespace } = nodeSelf()
  symlinkSync([host, bootId, pidNamespace, 2 ** 22 + 1, '1', 'dead'].join(':'), join(folder, 'server.db.lock'))
  expect(await lockDataFolder(world(), folder, async () => 'taken')).toBe('taken')
})

test('explains how to remove the lock of a server that is not visible here', async () => {
  const folder = temporaryFolder()
  symlinkSync('elsewhere:boot:1:7:1:unseen', join(folder, 'server.db.lock'))
  expect(await faultOf(() => lockDataFolder(world(), folder, async () => 'taken'))).toMatchObject({
    code: 'locked',
    hint: expect.stringContaining(`rm '${join(folder, 'server.db.lock')}'`)
  })
})

test('does not mistake errors of the work for a locked folder', async () => {
  const folder = temporaryFolder()
  for (const hold of [lockDataFolder, shareDataFolder]) {
    let runs = 0
    const fault = await faultOf(() =>
      hold(world(), folder, async () => {
        runs++
        throw new Error('of the work')
      })
    )
    expect([String(fault), runs]).toEqual(['Error: of the work', 1])
  }
})

test('lets the first of several servers hold a shared folder, and lets the others work', async () => {
  const folder = temporaryFolder()
  const held = await shareDataFolder(world(), folder, async (holds) => {
    return [holds, await shareDataFolder(world(), folder, async (second) => second)]
  })
  expect(held).toEqual([true, false])
})

test('reports a file in place of the folder only to servers that need it', async () => {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, '')
  expect(await faultOf(() => lockDataFolder(world(), path, async () => 1))).toMatchObject({ code: 'system_refused' })
  expect(await shareDataFolder(world(), path, async (holds) => holds)).toBe(false)
})

const facts = (data_dir: string): RunningServer => ({
  pid: 7,
  process_started: '1',
  origin: 'http://127.0.0.1:1',
  data_dir,
  started_at: '2026-01-02T03:04:05.000Z',
  version: '0.1.0',
  log_file: null
})

test("reads a running server's facts as written, readable for its owner alone", () => {
  const folder = temporaryFolder()
  expect(readRunningFacts(nodeFiles, folder)).toBeUndefined()
  writeRunningFacts(nodeFiles, facts(folder))
  writeRunningFacts(nodeFiles, { ...facts(folder), pid: 8 })
  expect(statSync(runningFactsPath(folder)).mode & 0o777).toBe(0o600)
  expect(readRunningFacts(nodeFiles, folder)).toEqual({ ...facts(folder), pid: 8 })
  removeRunningFacts(nodeFiles, folder)
  removeRunningFacts(nodeFiles, folder)
  expect(readdirSync(folder)).toEqual([])
})

test.each([['{'], ['[]'], ['{"pid":"7"}'], ['null']])('ignores facts that are %s', (text) => {
  const folder = temporaryFolder()
  writeFileSync(runningFactsPath(folder), text)
  expect(readRunningFacts(nodeFiles, folder)).toBeUndefined()
})

test('ignores facts that are a folder', () => {
  const folder = temporaryFolder()
  mkdirSync(runningFactsPath(folder))
  expect(readRunningFacts(nodeFiles, folder)).toBeUndefined()
})
