import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { LOCK_WAIT_MS } from './limits.ts'
import { writeFully } from './replace-file.ts'
import { ignoreSystemError, isSystemError } from './to-system-fault.ts'

export type LockWorld = Pick<World, 'clock' | 'files' | 'ids' | 'self'>

/** The file's real path, and how long to wait for other processes, in milliseconds. */
export type LockRequest = { path: string; waitMs?: number | undefined; signal?: AbortSignal | undefined }

/**
 * Runs `work` while this process alone holds the lock of the file at `path` (its real path). The lock is the symlink
 * `NAME.lock`, whose target names its owner. One system call creates it and names the owner, so the owner is known even
 * after a crash or in another container.
 *
 * @throws Fault `locked` after `waitMs`. It names the owner, and the lock to remove if the owner may no longer run.
 */
export async function withLock<T>(world: LockWorld, wanted: LockRequest, work: () => T | Promise<T>): Promise<T> {
  const lock = `${wanted.path}.lock`
  const owner = formatOwner(world)
  await acquire(world, { lock, owner }, wanted)
  try {
    return await work()
  } finally {
    release(world, lock, owner)
  }
}

/**
 * The owner of a lock. `gone`: the next writer takes the lock over. `unknown`: this process cannot find out whether the
 * owner still runs.
 */
type LockHolder = { host: string; pid: string; state: 'runs' | 'gone' | 'unknown' }

/** Returns the owner of the lock of the file at `path`, its real path; undefined if it is not locked. */
export function findLockHolder(world: Pick<LockWorld, 'files' | 'self'>, path: string): LockHolder | undefined {
  const holder = readHolder(world, `${path}.lock`)
  // An empty lock is being created at this moment.
  if (holder === undefined || holder === '') return undefined
  const [host = '?', bootId, pidNamespace, pid = '?'] = holder.split(':')
  if (isHolderGone(world, holder)) return { host, pid, state: 'gone' }
  const { self } = world
  const isHere = host === self.host.replaceAll(':', '_') && bootId === self.bootId && pidNamespace === self.pidNamespace
  const runs = isHere && /^\d+$/.test(pid) && self.process(Number(pid))?.state === 'alive'
  return { host, pid, state: runs ? 'runs' : 'unknown' }
}

type Claim = { lock: string; owner: string }

const POLL_FIRST_MS = 2
const POLL_MAX_MS = 40

async function acquire(world: LockWorld, claim: Claim, options: LockRequest): Promise<void> {
  const waitMs = options.waitMs ?? LOCK_WAIT_MS
  const start = world.clock.ticks()
  for (let pause = POLL_FIRST_MS; !tryAcquire(world, claim, 0); pause = Math.min(pause * 2, POLL_MAX_MS)) {
    if (options.signal?.aborted) throw new Fault('cancelled', 'stopped while waiting for the lock; nothing was written')
    if (world.clock.ticks() - start >= waitMs) throw createLockedFault(world, options.path, waitMs)
    await world.clock.wait(pause)
  }
}

/** Tries once to take the lock, if it is free or its owner is known to be gone. */
function tryAcquire(world: LockWorld, claim: Claim, depth: number): boolean {
  if (createLock(world, claim)) return true
  const holder = readHolder(world, claim.lock)
  if (holder === undefined) return createLock(world, claim)
  return isHolderGone(world, holder) && breakLock(world, claim, { holder, depth }) && createLock(world, claim)
}

function createLock({ files }: LockWorld, { lock, owner }: Claim): boolean {
  try {
    files.link(owner, lock)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'EEXIST') return false
    if (!NO_SYMLINKS.has(error.code)) throw error
  }
  return createLockFile(files, lock, owner)
}

const NO_SYMLINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP'])

/**
 * Creates the lock as a file, on systems without symlinks. Fails if it exists. Until its owner is written, it is empty.
 */
function createLockFile(files: LockWorld['files'], lock: string, owner: string): boolean {
  let fd: number
  try {
    fd = files.open(lock, 'create')
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
  try {
    writeFully(files, fd, Buffer.from(owner))
  } catch (error) {
    files.unlink(lock)
    throw error
  } finally {
    files.close(fd)
  }
  return true
}

/** Returns the owner text of a lock; undefined if there is no lock. An empty text means that it is being created. */
function readHolder({ files }: Pick<LockWorld, 'files'>, lock: string): string | undefined {
  try {
    const facts = files.findEntry(lock)
    if (facts === undefined) return undefined
    if (facts.kind === 'link') return files.readLink(lock)
    const fd = files.open(lock, 'read')
    try {
      const bytes = Buffer.alloc(OWNER_BYTES_MAX)
      return bytes.toString('utf8', 0, files.read(fd, bytes, 0))
    } finally {
      files.close(fd)
    }
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

const OWNER_BYTES_MAX = 1024
const BREAK_DEPTH_MAX = 3

/**
 * Removes a lock whose owner is gone. Two processes that see the same dead owner must not both remove it, because the
 * second would remove the new lock of the first. So the removal has a lock of its own, and the owner is read again.
 */
function breakLock(world: LockWorld, claim: Claim, dead: { holder: string; depth: number }): boolean {
  if (dead.depth >= BREAK_DEPTH_MAX) return false
  const breaker = { lock: `${claim.lock}.break`, owner: claim.owner }
  if (!tryAcquire(world, breaker, dead.depth + 1)) return false
  try {
    if (readHolder(world, claim.lock) !== dead.holder) return false
    world.files.unlink(claim.lock)
    return true
  } finally {
    release(world, breaker.lock, breaker.owner)
  }
}

/**
 * Work done under a lock remains valid even if the lock cannot be removed: the next process breaks it once this one has
 * ended.
 */
function release(world: LockWorld, lock: string, owner: string): void {
  ignoreSystemError(() => {
    if (readHolder(world, lock) === owner) world.files.unlink(lock)
  })
}

function formatOwner({ self, ids }: LockWorld): string {
  const parts = [
    self.host.replaceAll(':', '_'),
    self.bootId,
    self.pidNamespace,
    self.pid,
    self.startTime,
    ids.randomHex(8)
  ]
  return parts.join(':')
}

/**
 * Checks whether an owner is known to be gone: it has the same host, and either the machine has been restarted since,
 * or its pid is visible here and is absent, a zombie or reused. The age of a lock proves nothing.
 */
function isHolderGone({ self }: Pick<LockWorld, 'self'>, holder: string): boolean {
  const [host, bootId, pidNamespace, pid, startTime] = holder.split(':')
  if (host !== self.host.replaceAll(':', '_') || pid === undefined || startTime === undefined) return false
  if (bootId !== self.bootId) return bootId !== '-' && self.bootId !== '-'
  if (pidNamespace !== self.pidNamespace || !/^\d+$/.test(pid)) return false
  const process = self.process(Number(pid))
  if (process === undefined) return false
  if (process.state !== 'alive') return true
  return startTime !== '-' && process.startTime !== '-' && startTime !== process.startTime
}

function createLockedFault(world: LockWorld, path: string, waitMs: number): Fault {
  const { host, pid } = findLockHolder(world, path) ?? { host: '?', pid: '?' }
  return new Fault(
    'locked',
    `another process holds the lock (host ${host}, process ${pid}), waited ${Math.round(waitMs / 1000)} s`,
    {
      hint: buildRemovalHint(world, path) ?? `process ${pid} is running: wait for it, or inspect it with: ps -p ${pid}`
    }
  )
}

/** Returns how to remove the lock of the file at `path` by hand; undefined if its owner is known to run. */
export function buildRemovalHint(world: Pick<LockWorld, 'files' | 'self'>, path: string): string | undefined {
  const lock = `${path}.lock`
  return isKnownToRun(world, lock) ? undefined : `if that process is certainly gone: rm '${lock}'`
}

/**
 * Checks whether exactly the process named by a lock runs here. Without start times, another process might have reused
 * its pid.
 */
function isKnownToRun(world: Pick<LockWorld, 'files' | 'self'>, lock: string): boolean {
  const [host, bootId, pidNamespace, pid = '', startTime] = (readHolder(world, lock) ?? '').split(':')
  const { self } = world
  const isHere = host === self.host.replaceAll(':', '_') && bootId === self.bootId && pidNamespace === self.pidNamespace
  const process = isHere && /^\d+$/.test(pid) ? self.process(Number(pid)) : undefined
  return process?.state === 'alive' && startTime !== '-' && process.startTime === startTime
}
