import { dirname } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { Form } from '../../../device/types.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { formatOption } from '../../input/option-values.ts'
import { refusedBySystem } from '../../input/read-file.ts'
import { inputPath } from '../../input/read-input.ts'
import { spoolOutput } from '../../input/spool.ts'
import { cardLines } from '../../output/card.ts'
import { chooseSnapshot, SNAPSHOT_NAME } from '../../settings/choose-snapshot.ts'
import { offerAttributes } from './git-attributes.ts'
import { makeFolderCommand } from './missing-snapshot.ts'

type Options = { file: string | undefined; format: Form | undefined; attributes: boolean | undefined }

export const init = defineCommand<Options>({
  name: 'init',
  summary: 'make an empty snapshot',
  words: [{ name: '[file]', about: `the new snapshot; by default the one named by settings, else ./${SNAPSHOT_NAME}` }],
  options: [
    { flags: '--format <form>', about: 'jsonl (one memory a line) or json (one object)' },
    { flags: '--gitattributes', about: 'in a git work tree, have git unite snapshots when it merges' },
    { flags: '--no-gitattributes', about: 'leave .gitattributes alone, and do not ask' }
  ],
  about: 'Refuses to overwrite anything. Other snapshots need no init: the default one makes itself.',
  examples: ['memctl device init', 'memctl device init notes.mem.jsonl --gitattributes'],
  leaves: 'The snapshot was made whole or not at all',
  parse: ({ words, options }) => ({
    file: words[0],
    format: formatOption(options),
    attributes: typeof options.gitattributes === 'boolean' ? options.gitattributes : undefined
  }),
  run: async (context, options) => {
    const path = choosePath(context, options)
    if (path === '-') return await sendEmpty(context, options)
    const made = await make(context, path, options)
    await context.answer.object(made, {
      lines: (page) =>
        cardLines(
          [
            ['made', made.path],
            ['id', made.id]
          ],
          page
        ),
      rows: () => [[made.path, made.id]]
    })
    if (options.format !== 'json') await offerAttributes(context, path, options.attributes)
  }
})

function choosePath({ world, settings }: Context, { file }: Options): string {
  if (file !== undefined) return file === '-' ? '-' : inputPath(world, file)
  const chosen = chooseSnapshot(world, settings)
  return chosen.why === 'named' ? chosen.path : inputPath(world, SNAPSHOT_NAME)
}

async function make(
  { world, device }: Context,
  path: string,
  { format }: Options
): Promise<{ path: string; id: string }> {
  const folder = dirname(path)
  if (refusedBySystem(folder, () => world.files.find(folder)) === undefined) {
    const first = makeFolderCommand(folder)
    throw new Fault('not_found', `there is no folder ${folder}`, { hint: first, next: [first] })
  }
  const room = await device()
  return await room.create(world, path, format === undefined ? {} : { format })
}

async function sendEmpty(context: Context, options: Options): Promise<void> {
  await spoolOutput(context.world, (path) => make(context, path, options))
}
