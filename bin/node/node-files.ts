import * as fs from 'node:fs'
import { type BigIntStats, constants as c } from 'node:fs'
import { dirname } from 'node:path'
import type { FileAccess, FileFacts, FileKind, Files, SystemError } from '../../src/ports.ts'

/** The files port over `node:fs`. Flags that a system lacks (Windows) are undefined there and count as 0. */
export const nodeFiles: Files = {
  open: (path, access, mode = 0o600) => fs.openSync(path, FLAGS[access], mode),
  close: (fd) => fs.closeSync(fd),
  read: (fd, into, at) => fs.readSync(fd, into, 0, into.length, at),
  write: (fd, bytes, at) => fs.writeSync(fd, bytes, 0, bytes.length, at ?? null),
  syncData: (fd) => fs.fdatasyncSync(fd),
  sync: (fd) => fs.fsyncSync(fd),
  syncFolder,
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  facts: (fd) => toFacts(fs.fstatSync(fd, { bigint: true })),
  find: (path) => factsIfAny(() => fs.statSync(path, { bigint: true, throwIfNoEntry: false })),
  findEntry: (path) => factsIfAny(() => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  link: (target, path) => fs.symlinkSync(target, path),
  readLink: (path) => fs.readlinkSync(path),
  realPath: (path) => fs.realpathSync.native(path),
  makeFolders,
  list: (path) => fs.readdirSync(path),
  setMode: (path, mode) => fs.chmodSync(path, mode)
}

const noFollow = (c.O_NOFOLLOW ?? 0) | (c.O_NONBLOCK ?? 0)

const FLAGS: Record<FileAccess, number> = {
  read: c.O_RDONLY | noFollow,
  append: c.O_RDWR | c.O_APPEND | noFollow,
  overwrite: c.O_WRONLY | c.O_CREAT | c.O_TRUNC | noFollow,
  create: c.O_WRONLY | c.O_CREAT | c.O_EXCL | noFollow,
  update: c.O_RDWR | noFollow
}

/**
 * Creates folders one by one, starting with the outermost missing one. Node's own implementation loops forever if an
 * existing folder reports that it does not exist, as in `/proc`.
 */
function makeFolders(path: string): void {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeFolders(parent)
  try {
    fs.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const madeMeanwhile = (error as SystemError).code === 'EEXIST' && fs.statSync(path).isDirectory()
    if (!madeMeanwhile) throw error
  }
}

/** Windows cannot open a folder for syncing. There the file system's journal makes a rename durable. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const fd = fs.openSync(path, c.O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function factsIfAny(ask: () => BigIntStats | undefined): FileFacts | undefined {
  const stats = ask()
  return stats && toFacts(stats)
}

function toFacts(stats: BigIntStats): FileFacts {
  return {
    kind: toKind(stats),
    dev: stats.dev,
    ino: stats.ino,
    links: Number(stats.nlink),
    mode: Number(stats.mode) & 0o7777,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs
  }
}

function toKind(stats: BigIntStats): FileKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
