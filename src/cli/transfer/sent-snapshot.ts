import { existing } from '../commands/device/open-snapshot.ts'
import type { Context } from '../context.ts'
import { inputPath } from '../input/read-input.ts'
import { spoolInput } from '../input/spool.ts'
import { chooseSnapshot } from '../settings/choose-snapshot.ts'

/** Gives work the path of the snapshot that is to be sent: the file that was named, stdin, or the one that settings mean. */
export async function withSentSnapshot(
  context: Context,
  name: string | undefined,
  work: (path: string) => Promise<void>
): Promise<void> {
  const { world, talk } = context
  const chosen =
    name === undefined
      ? chooseSnapshot(world, context.settings)
      : { path: name, why: 'named' as const, where: undefined }
  if (chosen.path === '-') return await spoolInput(world, work)
  const path = existing(context, { ...chosen, path: inputPath(world, chosen.path) })
  await talk.show([[{ text: `snapshot: ${path}`, look: 'dim' }]])
  await work(path)
}
