import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeMachine } from '../../bin/node/node-machine.ts'
import { nodeSelf } from '../../bin/node/node-self.ts'
import { keepLogSmall } from '../../bin/node/open-log.ts'
import { makeServerHost } from '../../bin/server/make-server-host.ts'
import { FACTS } from './fake-host.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-ports-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Rotates the log once. */
async function lookOnce(path: string, bytesMax: number): Promise<void> {
  const stop = new AbortController()
  const clock = { ...nodeClock, wait: async () => stop.abort() }
  await keepLogSmall(path, { clock, signal: stop.signal, bytesMax })
}

test('rotates a log that is too long, and no other', async () => {
  const path = join(temporaryFolder(), 'server.log')
  await lookOnce(path, 10)
  writeFileSync(path, 'short\n')
  await lookOnce(path, 10)
  expect(existsSync(`${path}.1`)).toBe(false)
  writeFileSync(path, 'much longer than that\n')
  await lookOnce(path, 10)
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('much longer than that\n')
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('recognizes a server process only by the recorded start time', () => {
  const host = makeServerHost()
  const { pid, startTime } = nodeSelf()
  expect(host.isRunning({ ...FACTS, pid, process_started: startTime })).toBe(true)
  if (startTime !== '-') expect(host.isRunning({ ...FACTS, pid, process_started: '1' })).toBe(false)
  expect(host.isRunning({ ...FACTS, pid: 2 ** 30 })).toBe(false)
})

test('ignores that a process to stop has already ended', () => {
  expect(() => makeServerHost().terminate(2 ** 30)).not.toThrow()
})

test('lists every setting once, without values', async () => {
  const rows = await makeServerHost().table()
  expect(new Set(rows.map(({ variable }) => variable)).size).toBe(rows.length)
  expect(rows.map(({ key }) => key)).toContain('data_dir')
})

test('shows the value and the origin of each setting, without secrets', async () => {
  const database = 'postgres://ada:a-password@db.example/memctl'
  const rows = await makeServerHost().settings({ data_dir: '/d', database_url: database, port: '0' })
  expect(rows).toContainEqual({ key: 'data_dir', value: '/d', origin: 'flag', where: '--data-dir' })
  expect(JSON.stringify(rows)).not.toContain('a-password')
  await expect(makeServerHost().settings({ port: 'x' })).rejects.toMatchObject({ code: 'usage' })
})

test('reports the free space and the write permission of a folder', () => {
  const folder = temporaryFolder()
  expect(nodeMachine.freeBytes(folder)).toBeGreaterThan(0)
  expect(nodeMachine.mayWrite(folder)).toBe(true)
  expect(nodeMachine.freeBytes(join(folder, 'none'))).toBeUndefined()
  expect(nodeMachine.mayWrite(join(folder, 'none'))).toBe(false)
  expect(nodeMachine.takesFolders(folder)).toBe(true)
  expect(readdirSync(folder)).toEqual([])
  expect(nodeMachine.takesFolders(join(folder, 'none'))).toBe(false)
  expect(nodeMachine.nodeVersion).toMatch(/^\d+\.\d+\.\d+/)
})

test('reports a folder that cannot be created, without free space', ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'this system has no such folder')
  expect(nodeMachine.takesFolders('/proc')).toBe(false)
  expect(nodeMachine.freeBytes('/proc')).toBeUndefined()
})
