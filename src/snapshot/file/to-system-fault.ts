import { Fault } from '../../contract/faults.ts'
import type { SystemError } from '../../ports.ts'

/** Converts an error of a system call to a fault that names the operation; returns any other error unchanged. */
export function toSystemFault(error: unknown, doing: string): unknown {
  if (!isSystemError(error)) return error
  const [means, hint] = MEANINGS[error.code] ?? [
    'the operating system refused',
    'look up the error code in the documentation of the operating system'
  ]
  return new Fault('system_refused', `cannot ${doing}: ${means} (${error.code})`, { hint, cause: error })
}

/** Checks whether an error comes from a system call: Node gives those a code and the name of the call. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}

/** Runs work whose system errors do not matter, and returns undefined if one occurs. */
export function ignoreSystemError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

const WRITABLE = 'choose a path that you may write to, or change its permissions'

const MEANINGS: Record<string, [means: string, hint: string] | undefined> = {
  ENOSPC: [
    'no space or no inodes left on the disk',
    'free some disk space and run the command again; no data was lost'
  ],
  EDQUOT: ['your disk quota is used up', 'free some disk space and run the command again; no data was lost'],
  EIO: ['the disk failed', 'check the disk; acknowledged data is not affected'],
  EROFS: ['the file system is read-only', WRITABLE],
  EACCES: ['permission denied', WRITABLE],
  EPERM: ['the operation is not permitted', WRITABLE],
  ENAMETOOLONG: ['the path is too long', 'choose a shorter path'],
  ELOOP: ['too many symbolic links', 'give the path of the file itself'],
  ENOTDIR: ['a part of the path is not a folder', 'check the path'],
  ENOENT: ['the folder does not exist', 'create the folder first'],
  EMFILE: ['too many open files', 'close some files and run the command again'],
  EFBIG: ['the file would exceed the maximum file size', 'see `ulimit -f`'],
  EINVAL: ['the path or the request is invalid here', 'check the path']
}
