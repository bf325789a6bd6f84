import { Fault } from '../../contract/faults.ts'
import type { SnapshotHeader } from '../../contract/snapshot.ts'
import type { Form } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import { makeSystemFault, readFileBytes, utf8Text } from '../input/read-file-bytes.ts'
import { resolveInputPath } from '../input/read-input-text.ts'
import { spoolInput, withTemporaryPath } from '../input/spool-input.ts'
import { shellWord } from '../output/short-forms.ts'
import { chooseSnapshot } from './choose-snapshot.ts'
import { existing, lockOptions } from './open-snapshot.ts'

/** A snapshot as it travels in a JSON body. */
export type SentSnapshot = SnapshotHeader & { records: SentSnapshotRecord[] }

/** What is looked at of a record; all else of it is passed on. */
export type SentSnapshotRecord = { type: string; id?: unknown; text?: unknown; [field: string]: unknown }

/** No snapshot that travels in a body is larger, whatever the server takes. In bytes. */
const OBJECT_BYTES_MAX = 256 << 20

/** Gives work the value of a snapshot file, all of which was found sound. */
export async function withSnapshotObject(
  context: Context,
  path: string,
  work: (snapshot: SentSnapshot) => Promise<void>
): Promise<void> {
  await withWholeCopy(context, { path, form: 'json' }, async (copy) => {
    const bytes = readFileBytes(context.world.files, copy.path, OBJECT_BYTES_MAX)
    // Written a moment ago, by us.
    const snapshot = JSON.parse(utf8Text(bytes ?? new Uint8Array(), path)) as SentSnapshot
    await work(snapshot).catch((error) => {
      throw tooLargeToSend(error, copy.bytes)
    })
  })
}

/** Unites a file with a snapshot that came back: lines that were stored meanwhile stay. Its lines are judged like any. */
export async function mergeIntoFile(context: Context, path: string, object: object): Promise<void> {
  const { world } = context
  const deviceModule = await context.device()
  await withTemporaryPath(world, async (came) => {
    makeSystemFault(came, () => writeAll(context, came, Buffer.from(JSON.stringify(object))))
    const asked = { inputs: [path, came], output: path, signal: world.terminal.interrupted, ...lockOptions(context) }
    await deviceModule.merge(world, asked)
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

/** A copy of a snapshot in canonical form, which nobody else writes to. */
export type WholeCopy = { path: string; memories: number; forgotten: number; bytes: number; rootHash: string }

/**
 * Gives work a copy of a snapshot that is to be sent, and removes it afterwards. All of it was read by then, and is sound.
 * @throws Fault `invalid_snapshot` and its like where it is not: then nothing was sent.
 */
export async function withWholeCopy<Value>(
  context: Context,
  { path, form }: { path: string; form: Form },
  work: (copy: WholeCopy) => Promise<Value>
): Promise<Value> {
  const { world } = context
  const deviceModule = await context.device()
  return await withTemporaryPath(world, async (output) => {
    const asked = { inputs: [path], output, format: form, signal: world.terminal.interrupted, ...lockOptions(context) }
    const made = await deviceModule.merge(world, asked).catch((error) => {
      throw notSent(error, path)
    })
    return await work({
      path: output,
      memories: made.memories,
      forgotten: made.forgotten,
      bytes: made.bytes,
      rootHash: made.root_hash
    })
  })
}

/** The ways out of damage are those of the file, not of the command that sends it. */
function notSent(error: unknown, path: string): unknown {
  if (!(error instanceof Fault) || error.code !== 'invalid_snapshot') return error
  const file = `--snapshot ${shellWord(path)}`
  const verify = `memctl device verify ${file}`
  return new Fault('invalid_snapshot', `nothing was sent: ${error.message}`, {
    hint: `${verify} shows all that is wrong; memctl device compact --skip-damaged ${file} goes on without it`,
    next: [verify],
    cause: error
  })
}

/** Gives work the path of the snapshot that is to be sent: the file that was named, stdin, or the one that settings mean. */
export async function withSentSnapshot(
  context: Context,
  name: string | undefined,
  work: (path: string) => Promise<void>
): Promise<void> {
  const { world, diagnostics } = context
  const chosen =
    name === undefined
      ? chooseSnapshot(world, context.settings)
      : { path: name, why: 'named' as const, where: undefined }
  if (chosen.path === '-') return await spoolInput(world, work)
  const path = existing(context, { ...chosen, path: resolveInputPath(world, chosen.path) })
  await diagnostics.show([[{ text: `snapshot: ${path}`, look: 'dim' }]])
  await work(path)
}
