import type { Files } from '../ports.ts'
import { withLock } from '../snapshot/file/lock.ts'
import { writeFully } from '../snapshot/file/replace-file.ts'
import { resolveSnapshotPath } from '../snapshot/file/source.ts'
import { ignoreSystemError } from '../snapshot/file/system-fault.ts'
import { type DeviceWorld, guarded, stopIfAborted } from './device-world.ts'
import { type Placed, placeReceived } from './place-received.ts'
import { type Received, type ReceiveProgress, receiveLines } from './received-lines.ts'
import type { DeviceOptions, Form, ReceiveReport } from './types.ts'

/** What may become of a file that is there: refuse where it has lines that the export lacks, keep those, or drop them. */
export type Replacing = 'refuse' | 'merge' | 'force'

export type ReceiveOptions = {
  /** An export as its lines, in chunks of any size. */
  chunks: AsyncIterable<Uint8Array>
  /** Absolute. */
  output: string
  replacing: Replacing
  format?: Form | undefined
  signal?: AbortSignal
  onProgress?: (progress: ReceiveProgress) => void
}

/**
 * Takes an export in and makes it the snapshot file at `output`, in canonical form. What comes is kept in `NAME.part`, one
 * at a time, until all of it was judged; only then the file is replaced, whole, under its lock, which no store waits for
 * meanwhile.
 * @throws Fault `broken_transfer` where not all came, or not what was sent; `exists` where the file has lines that the
 * export lacks and `replacing` is `refuse`. Then the file is as it was.
 */
export async function receiveSnapshot(
  world: DeviceWorld,
  options: ReceiveOptions & DeviceOptions
): Promise<ReceiveReport> {
  const { files } = world
  const { output, signal, lockWaitMs: waitMs } = options
  return guarded(`write ${output}`, async () => {
    const path = files.findEntry(output) === undefined ? output : resolveSnapshotPath(files, output)
    const spool = `${path}.part`
    return withLock(world, { path: spool, waitMs, signal }, async () => {
      try {
        const received = await keepChunks(files, spool, options)
        const placed = await withLock(world, { path, waitMs, signal }, () =>
          placeReceived(world, { ...options, spool, output: path })
        )
        return reportOf(path, placed, received)
      } finally {
        ignoreSystemError(() => files.findEntry(spool) && files.unlink(spool))
      }
    })
  })
}

async function keepChunks(files: Files, spool: string, options: ReceiveOptions): Promise<ReceivedBytes> {
  if (files.findEntry(spool) !== undefined) files.unlink(spool)
  const fd = files.open(spool, 'create', 0o600)
  try {
    const receiver = receiveLines((bytes) => writeFully(files, fd, bytes))
    for await (const chunk of options.chunks) {
      stopIfAborted(options.signal, 'nothing was written')
      receiver.take(chunk)
      options.onProgress?.(receiver.progress())
    }
    stopIfAborted(options.signal, 'nothing was written')
    return { ...receiver.finish(), bytes: receiver.progress().bytes }
  } finally {
    files.close(fd)
  }
}

type ReceivedBytes = Received & { bytes: number }

function reportOf(path: string, placed: Placed, received: ReceivedBytes): ReceiveReport {
  return {
    path,
    memories: placed.memories,
    forgotten: placed.forgotten,
    bytes: placed.bytes,
    root_hash: placed.rootHash,
    kept: placed.kept,
    received: { records: received.records, bytes: received.bytes, root_hash: received.rootHash },
    ...(received.leftOut !== undefined && { left_out: received.leftOut })
  }
}
