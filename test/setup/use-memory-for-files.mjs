import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** The file system in memory of Linux. */
const MEMORY = '/dev/shm'
/** Free memory that a run needs besides its own (bytes). Its files take less than a quarter of it at any time. */
const FREE_MIN = 8 * 2 ** 30
const PREFIX = 'memctl-run-'

/**
 * Keeps the temporary files of a run in memory if there is enough of it and `TMPDIR` is not set: with every write
 * flushed to a disk, the tests of storage take twice as long. Removes them after the run, and those of runs that were
 * killed.
 */
export function setup() {
  if (process.platform !== 'linux' || process.env.TMPDIR || !hasSpace()) return undefined
  for (const name of readdirSync(MEMORY))
    if (isLeftBehind(name)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
  // As root, PostgreSQL runs as another user, who must reach its folder within this one.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function hasSpace() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= FREE_MIN && freemem() >= FREE_MIN
  } catch {
    return false
  }
}

function isLeftBehind(name) {
  if (!name.startsWith(PREFIX)) return false
  try {
    process.kill(Number(name.slice(PREFIX.length).split('-')[0]), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
