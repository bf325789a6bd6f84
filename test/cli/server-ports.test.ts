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

/** Looks once at the log. */
async function lookOnce(path: string, bytesMax: number): Promise<void> {
  const stop = new AbortController()
  const clock = { ...nodeClock, wait: async () => stop.abort() }
  await keepLogSmall(path, { clock, signal: stop.signal, bytesMax })
}

test('moves a log aside when it is too long, and leaves others alone', async () => {
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

test('a process is taken for a server only with the start time that the server wrote down', () => {
  const host = makeServerHost()
  const { pid, startTime } = nodeSelf()
  expect(host.isRunning({ ...FACTS, pid, process_started: startTime })).toBe(true)
  if (startTime !== '-') expect(host.isRunning({ ...FACTS, pid, process_started: '1' })).toBe(false)
  expect(host.isRunning({ ...FACTS, pid: 2 ** 30 })).toBe(false)
})

test('ignores that a process to end is gone', () => {
  expect(() => makeServerHost().terminate(2 ** 30)).not.toThrow()
})

test('the table of the settings has each of them once, none of them with a value', async () => {
  const rows = await makeServerHost().table()
  expect(new Set(rows.map(({ variable }) => variable)).size).toBe(rows.length)
  expect(rows.map(({ key }) => key)).toContain('data_dir')
})

test('settings say what holds and who said it, without secrets', async () => {
  const database = 'postgres://ada:a-password@db.example/memctl'
  const rows = await makeServerHost().settings({ data_dir: '/d', database_url: database, port: '0' })
  expect(rows).toContainEqual({ key: 'data_dir', value: '/d', origin: 'flag', where: '--data-dir' })
  expect(JSON.stringify(rows)).not.toContain('a-password')
  await expect(makeServerHost().settings({ port: 'x' })).rejects.toMatchObject({ code: 'usage' })
})

test('the machine says what is free and what may be written', () => {
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

test('a folder that keeps nothing takes no folder, and has no room', ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'this system has no such folder')
  expect(nodeMachine.takesFolders('/proc')).toBe(false)
  expect(nodeMachine.freeBytes('/proc')).toBeUndefined()
})
