import { Fault } from '../../contract/faults.ts'
import type { SnapshotHeader } from '../../contract/snapshot.ts'
import { lockOptions } from '../commands/device/open-snapshot.ts'
import type { Context } from '../context.ts'
import { readFileBytes, refusedBySystem, utf8Text } from '../input/read-file.ts'
import { withTemporaryPath } from '../input/spool.ts'
import { withWholeCopy } from './whole-copy.ts'

/** A snapshot as it travels in a JSON body. */
export type SentObject = SnapshotHeader & { records: SentRecord[] }

/** What is looked at of a record; all else of it is passed on. */
export type SentRecord = { type: string; id?: unknown; text?: unknown; [field: string]: unknown }

/** No snapshot that travels in a body is larger, whatever the server takes. In bytes. */
const OBJECT_BYTES_MAX = 256 << 20

/** Gives work the value of a snapshot file, all of which was found sound. */
export async function withSnapshotObject(
  context: Context,
  path: string,
  work: (snapshot: SentObject) => Promise<void>
): Promise<void> {
  await withWholeCopy(context, { path, form: 'json' }, async (copy) => {
    const bytes = readFileBytes(context.world.files, copy.path, OBJECT_BYTES_MAX)
    // Written a moment ago, by us.
    const snapshot = JSON.parse(utf8Text(bytes ?? new Uint8Array(), path)) as SentObject
    await work(snapshot).catch((error) => {
      throw tooLargeToSend(error, copy.bytes)
    })
  })
}

/** Unites a file with a snapshot that came back: lines that were stored meanwhile stay. Its lines are judged like any. */
export async function uniteWith(context: Context, path: string, object: object): Promise<void> {
  const { world } = context
  const room = await context.device()
  await withTemporaryPath(world, async (came) => {
    refusedBySystem(came, () => writeAll(context, came, Buffer.from(JSON.stringify(object))))
    const asked = { inputs: [path, came], output: path, signal: world.terminal.interrupted, ...lockOptions(context) }
    await room.merge(world, asked)
  })
}

function writeAll({ world: { files } }: Context, path: string, bytes: Uint8Array): void {
  const fd = files.open(path, 'create', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes.subarray(done))
  } finally {
    files.close(fd)
  }
}

function tooLargeToSend(error: unknown, bytes: number): unknown {
  if (!(error instanceof Fault) || error.code !== 'too_large') return error
  return new Fault('too_large', `the snapshot of ${bytes} bytes is over what the server takes in one request`, {
    hint: 'without --remote the same is done here, whatever the size',
    cause: error
  })
}
