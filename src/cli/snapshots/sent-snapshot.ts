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

/** A snapshot in a JSON body. */
export type SentSnapshot = SnapshotHeader & { records: SentSnapshotRecord[] }

/** The used members of a record. The others are passed on unchanged. */
export type SentSnapshotRecord = { type: string; id?: unknown; text?: unknown; [field: string]: unknown }

/** Maximum size of a snapshot in a JSON body, in bytes. The server may have a lower limit. */
const OBJECT_BYTES_MAX = 256 << 20

/** Runs work with the parsed value of a snapshot file, after verifying the whole file. */
export async function withSnapshotObject(
  context: Context,
  path: string,
  work: (snapshot: SentSnapshot) => Promise<void>
): Promise<void> {
  await withWholeCopy(context, { path, form: 'json' }, async (copy) => {
    const bytes = readFileBytes(context.world.files, copy.path, OBJECT_BYTES_MAX)
    // The copy was just written by this program, so it needs no validation.
    const snapshot = JSON.parse(utf8Text(bytes ?? new Uint8Array(), path)) as SentSnapshot
    await work(snapshot).catch((error) => {
      throw toTooLargeFault(error, copy.bytes)
    })
  })
}

/** Merges a returned snapshot into a file, with full validation. Lines stored in the meantime stay. */
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

function toTooLargeFault(error: unknown, bytes: number): unknown {
  if (!(error instanceof Fault) || error.code !== 'too_large') return error
  return new Fault('too_large', `the snapshot of ${bytes} bytes exceeds the server's limit for one request`, {
    hint: 'omit --remote to work on this machine, which has no such limit',
    cause: error
  })
}

/** A private copy of a snapshot in canonical form. */
export type WholeCopy = { path: string; memories: number; forgotten: number; bytes: number; rootHash: string }

/**
 * Verifies a snapshot completely, runs work with a copy of it, and removes the copy.
 * @throws Fault `invalid_snapshot` or a similar one if the snapshot is invalid, before anything is sent.
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
      throw toNotSentFault(error, path)
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

/** Replaces the hint: damage is fixed in the file, not by options of the command that sends it. */
function toNotSentFault(error: unknown, path: string): unknown {
  if (!(error instanceof Fault) || error.code !== 'invalid_snapshot') return error
  const file = `--snapshot ${shellWord(path)}`
  const verify = `memctl device verify ${file}`
  return new Fault('invalid_snapshot', `nothing was sent: ${error.message}`, {
    hint: `list all errors: ${verify}; drop damaged lines: memctl device compact --skip-damaged ${file}`,
    next: [verify],
    cause: error
  })
}

/** Runs work with the path of the snapshot to send: the given file, stdin, or the one from the settings. */
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
