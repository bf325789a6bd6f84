import { Fault } from '../../contract/faults.ts'
import type { Form } from '../../device/types.ts'
import { lockOptions } from '../commands/device/open-snapshot.ts'
import type { Context } from '../context.ts'
import { withTemporaryPath } from '../input/spool.ts'
import { shellWord } from '../output/short-forms.ts'

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
  const room = await context.device()
  return await withTemporaryPath(world, async (output) => {
    const asked = { inputs: [path], output, format: form, signal: world.terminal.interrupted, ...lockOptions(context) }
    const made = await room.merge(world, asked).catch((error) => {
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
