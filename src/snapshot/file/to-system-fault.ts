import { Fault } from '../../contract/faults.ts'
import type { SystemError } from '../../ports.ts'

/** A refused system call as a fault that says what was being done; anything else as it is. */
export function toSystemFault(error: unknown, doing: string): unknown {
  if (!isSystemError(error)) return error
  const [means, hint] = MEANINGS[error.code] ?? ['the system refused', 'see what the system says about this error']
  return new Fault('system_refused', `cannot ${doing}: ${means} (${error.code})`, { hint, cause: error })
}

/** Whether something thrown came from the system: Node gives those a code and the name of the call. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}

/** Work whose refusal by the system changes nothing about what has been done: undefined then. */
export function ignoreSystemError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

const WRITABLE = 'choose a place that you may write to, or ask for the right'

const MEANINGS: Record<string, [means: string, hint: string] | undefined> = {
  ENOSPC: ['no space left on the disk, or no inodes', 'free some space and run the command again; nothing was lost'],
  EDQUOT: ['your disk quota is used up', 'free some space and run the command again; nothing was lost'],
  EIO: ['the disk failed', 'check the disk; nothing that was acknowledged is affected'],
  EROFS: ['the file system is read-only', WRITABLE],
  EACCES: ['permission denied', WRITABLE],
  EPERM: ['the operation is not permitted', WRITABLE],
  ENAMETOOLONG: ['the path is too long', 'choose a shorter path'],
  ELOOP: ['too many links', 'name the file itself'],
  ENOTDIR: ['a part of the path is no folder', 'check the path'],
  ENOENT: ['the folder does not exist', 'make the folder first'],
  EMFILE: ['too many open files', 'close some and run the command again'],
  EFBIG: ['the file would become larger than allowed', 'see `ulimit -f`'],
  EINVAL: ['the path or the request is not valid here', 'check the path']
}
