import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { Files, Self } from '../../src/ports.ts'
import { type LockWorld, withLock } from '../../src/snapshot/file/with-lock.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SELF: Self = {
  host: 'here',
  bootId: 'boot-1',
  pidNamespace: '77',
  pid: 100,
  startTime: '5000',
  process: (pid) => PROCESSES[pid] ?? { state: 'absent', startTime: '-' }
}

const PROCESSES: Record<number, ReturnType<Self['process']>> = {
  100: { state: 'alive', startTime: '5000' },
  200: { state: 'alive', startTime: '6000' },
  300: { state: 'zombie', startTime: '7000' }
}

test('names the owner in the lock while work runs, and removes it afterwards', async () => {
  const path = aPath()
  const owner = await withLock(worldOf(), { path }, () => readlinkSync(`${path}.lock`))
  expect(owner).toMatch(/^here:boot-1:77:100:5000:[0-9a-f]{16}$/)
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('releases the lock when the work fails', async () => {
  const path = aPath()
  await expect(withLock(worldOf(), { path }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test.each([
  ['of a process that is gone', 'here:boot-1:77:999:1:aa'],
  ['of a zombie', 'here:boot-1:77:300:7000:aa'],
  ['of a reused pid', 'here:boot-1:77:200:1:aa'],
  ['from before a restart', 'here:boot-0:77:200:6000:aa'],
  ['from before a restart, in another namespace', 'here:boot-0:12:1:1:aa']
])('breaks a lock %s', async (_, owner) => {
  const path = aPath()
  symlinkSync(owner, `${path}.lock`)
  expect(await withLock(worldOf(), { path, waitMs: 0 }, () => 'done')).toBe('done')
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test.each([
  ['of a running process', 'here:boot-1:77:200:6000:aa', 'process 200 is running'],
  ['of this very process', 'here:boot-1:77:100:5000:aa', 'process 100 is running']
])('waits for a lock %s, and does not suggest removing it', async (_, owner, hint) => {
  const path = aPath()
  symlinkSync(owner, `${path}.lock`)
  const fault = await withLock(worldOf(), { path, waitMs: 1000 }, () => 'done').catch((error) => error)
  expect(fault).toMatchObject({ code: 'locked', hint: expect.stringContaining(hint) })
  expect(fault.hint).not.toContain('rm ')
  expect(readlinkSync(`${path}.lock`)).toBe(owner)
})

test.each([
  ['of another host', 'there:boot-0:77:999:1:aa'],
  ['of another pid namespace', 'here:boot-1:78:999:1:aa'],
  ['with an unknown boot id', 'here:-:77:999:1:aa'],
  ['with an unknown start time', 'here:boot-1:77:200:-:aa'],
  ['without an owner', 'nonsense'],
  ['with an invalid pid', 'here:boot-1:77:x:1:aa']
])('waits for a lock %s, and then names the owner and the file', async (_, owner) => {
  const path = aPath()
  symlinkSync(owner, `${path}.lock`)
  const refused = withLock(worldOf(), { path, waitMs: 1000 }, () => 'done')
  await expect(refused).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(owner.split(':')[0] as string),
    hint: expect.stringContaining(`rm '${path}.lock'`)
  })
  expect(readlinkSync(`${path}.lock`)).toBe(owner)
})

test('gives a released lock to one waiting process after another', async () => {
  const path = aPath()
  let running = 0
  const done: number[] = []
  const work = async (n: number): Promise<void> => {
    expect(++running).toBe(1)
    await Promise.resolve()
    running--
    done.push(n)
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => withLock(worldOf(), { path }, () => work(n))))
  expect(done.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('does not remove a new lock in place of a dead one that another process broke', async () => {
  const path = aPath()
  symlinkSync('here:boot-1:77:999:1:dead', `${path}.lock`)
  const fresh = 'here:boot-1:77:200:6000:fresh'
  const files: Files = {
    ...nodeFiles,
    link(target, at) {
      nodeFiles.link(target, at)
      if (!at.endsWith('.break')) return
      unlinkSync(`${path}.lock`)
      symlinkSync(fresh, `${path}.lock`)
    }
  }
  await expect(withLock(worldOf({ files }), { path, waitMs: 0 }, () => 'done')).rejects.toMatchObject({
    code: 'locked'
  })
  expect(readlinkSync(`${path}.lock`)).toBe(fresh)
  expect(existsSync(`${path}.lock.break`)).toBe(false)
})

test('breaks the lock of a dead breaker', async () => {
  const path = aPath()
  symlinkSync('here:boot-1:77:999:1:dead', `${path}.lock`)
  symlinkSync('here:boot-1:77:998:1:dead', `${path}.lock.break`)
  expect(await withLock(worldOf(), { path, waitMs: 0 }, () => 'done')).toBe('done')
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('does not release a lock that another process has created', async () => {
  const path = aPath()
  await withLock(worldOf(), { path }, () => {
    unlinkSync(`${path}.lock`)
    symlinkSync('here:boot-1:77:200:6000:other', `${path}.lock`)
  })
  expect(readlinkSync(`${path}.lock`)).toBe('here:boot-1:77:200:6000:other')
})

test('stops waiting when it is aborted', async () => {
  const path = aPath()
  symlinkSync('here:boot-1:77:200:6000:aa', `${path}.lock`)
  const stopped = withLock(worldOf(), { path, signal: AbortSignal.abort() }, () => 'done')
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
})

test('uses a file as the lock by the same rules on systems without symlinks', async () => {
  const path = aPath()
  const world = worldOf({ files: { ...nodeFiles, link: noLinks } })
  expect(await withLock(world, { path }, () => readFileSync(`${path}.lock`, 'utf8'))).toMatch(
    /^here:boot-1:77:100:5000:/
  )
  writeFileSync(`${path}.lock`, 'here:boot-1:77:999:1:dead')
  expect(await withLock(world, { path, waitMs: 0 }, () => 'done')).toBe('done')
  writeFileSync(`${path}.lock`, '')
  await expect(withLock(world, { path, waitMs: 100 }, () => 'done')).rejects.toMatchObject({ code: 'locked' })
})

test('removes a lock file that could not be written', async () => {
  const path = aPath()
  const write = (): never => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  }
  const world = worldOf({ files: { ...nodeFiles, link: noLinks, write } })
  await expect(withLock(world, { path }, () => 'done')).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(readdirSync(join(path, '..'))).toEqual([])
})

function aPath(): string {
  return join(temporaryFolder(), 'notes.mem.jsonl')
}

/** Creates a world whose time advances only while waiting. */
function worldOf(other: Partial<LockWorld> = {}): LockWorld {
  let now = 0
  let nonces = 0
  const clock = {
    now: () => now,
    ticks: () => now,
    wait: async (ms: number) => {
      now += ms
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const ids = {
    randomHex: (bytes: number) =>
      `${process.hrtime.bigint().toString(16)}${nonces++}`.padStart(bytes * 2, '0').slice(-bytes * 2)
  }
  return { clock, ids, files: nodeFiles, self: SELF, ...other }
}

function noLinks(): never {
  throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'symlink' })
}
