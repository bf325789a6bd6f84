import { dirname } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import type { Files } from '../../src/ports.ts'
import { replaceFile } from '../../src/snapshot/file/replace-file.ts'
import { readFully } from '../../src/snapshot/file/source.ts'
import { toSystemFault } from '../../src/snapshot/file/to-system-fault.ts'
import { type LockWorld, withLock } from '../../src/snapshot/file/with-lock.ts'
import type { KeyRingBytes, KeyRingFile } from '../oauth/vault/key-ring-file.ts'

/** In bytes. A key takes less than 200. */
const FILE_BYTES_MAX = 1024 * 1024

/**
 * Opens the key file at `path`, created with its folder if it is missing. Processes that change it take turns with a
 * lock beside it.
 */
export function systemKeyRingFile(world: LockWorld, path: string): KeyRingFile {
  const { files } = world
  return {
    path,
    read: async () => refusable(`read the key file ${path}`, () => readIfThere(files, path)),
    async update(change) {
      const doing = `write the key file ${path}`
      const real = refusable(doing, () => findRealPath(files, path))
      await withLock(world, { path: real }, () =>
        refusable(doing, () => {
          const next = change(readIfThere(files, real)?.bytes)
          if (next !== undefined) replaceFile(files, { path: real }, (sink) => sink.write(next))
        })
      ).catch((error: unknown) => {
        throw toSystemFault(error, doing)
      })
    }
  }
}

function readIfThere(files: Files, path: string): KeyRingBytes | undefined {
  const facts = files.find(path)
  if (facts === undefined) return undefined
  if (facts.kind !== 'file' || facts.size > FILE_BYTES_MAX)
    throw new Fault('system_refused', `${path} is not a key file`, {
      hint: 'check MEMCTL_SECRET_KEY_FILE, which names the key file'
    })
  const fd = files.open(files.realPath(path), 'read')
  try {
    const into = new Uint8Array(facts.size)
    return { bytes: into.subarray(0, readFully(files, { fd, into, at: 0 })), mode: facts.mode & 0o777 }
  } finally {
    files.close(fd)
  }
}

/**
 * Returns the real path of a file that exists or will exist. Its lock and its replacement are beside the file itself,
 * not beside a link to it.
 */
function findRealPath(files: Files, path: string): string {
  if (files.find(path) !== undefined) return files.realPath(path)
  files.makeFolders(dirname(path))
  return path
}

function refusable<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSystemFault(error, doing)
  }
}
