import { basename, dirname, join } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { Form } from '../../../device/device.ts'
import type { Files } from '../../../ports.ts'
import { ask } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { formatOption } from '../../input/command-line.ts'
import { makeSystemFault, readFileBytes } from '../../input/read-file-bytes.ts'
import { resolveInputPath, walkUpward } from '../../input/read-input-text.ts'
import { spoolOutput } from '../../input/spool-input.ts'

import { cardLines } from '../../output/card-lines.ts'
import { shellWord } from '../../output/short-forms.ts'
import { chooseSnapshot, SNAPSHOT_NAME } from '../../snapshots/choose-snapshot.ts'
import { makeFolderCommand } from '../../snapshots/open-snapshot.ts'

type Options = { file: string | undefined; format: Form | undefined; attributes: boolean | undefined }

export const initCommand = defineCommand<Options>({
  name: 'init',
  summary: 'Create an empty snapshot',
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
  if (file !== undefined) return file === '-' ? '-' : resolveInputPath(world, file)
  const chosen = chooseSnapshot(world, settings)
  return chosen.why === 'named' ? chosen.path : resolveInputPath(world, SNAPSHOT_NAME)
}

async function make(
  { world, device }: Context,
  path: string,
  { format }: Options
): Promise<{ path: string; id: string }> {
  const folder = dirname(path)
  if (makeSystemFault(folder, () => world.files.find(folder)) === undefined) {
    const first = makeFolderCommand(folder)
    throw new Fault('not_found', `there is no folder ${folder}`, { hint: first, next: [first] })
  }
  const deviceModule = await device()
  return await deviceModule.create(world, path, format === undefined ? {} : { format })
}

async function sendEmpty(context: Context, options: Options): Promise<void> {
  await spoolOutput(context.world, (path) => make(context, path, options))
}

/**
 * Where a new snapshot lies in a git work tree: sees to the line that has git unite its lines and keep its bytes. `wish`
 * is what a flag said; without one a person is asked, and nobody else.
 */
async function offerAttributes(context: Context, snapshot: string, wish: boolean | undefined): Promise<void> {
  const { files } = context.world
  const tree = workTree(files, snapshot)
  if (tree === undefined || wish === false) return
  const path = join(tree, '.gitattributes')
  const line = `${patternFor(snapshot)} -text merge=union`
  const before = Buffer.from(readFileBytes(files, path, ATTRIBUTES_BYTES_MAX) ?? []).toString('utf8')
  if (before.split(/\r?\n/).some((there) => there === line || saysHowToMerge(there, patternFor(snapshot)))) return
  if (!(await isWanted(context, { path, line, snapshot, wish }))) return
  makeSystemFault(path, () => appendLine(files, path, before === '' || before.endsWith('\n') ? line : `\n${line}`))
  await context.diagnostics.note(`added to ${path}: ${line}`)
}

/** Whoever has said already how such files are merged, be it with memctl as driver, is not overruled. */
function saysHowToMerge(line: string, pattern: string): boolean {
  const [first, ...attributes] = line.trim().split(/\s+/)
  return first === pattern && attributes.some((attribute) => attribute.startsWith('merge='))
}

/** Nobody keeps more attributes than that. In bytes. */
const ATTRIBUTES_BYTES_MAX = 1 << 20

type Offer = { path: string; line: string; snapshot: string; wish: boolean | undefined }

async function isWanted(context: Context, { path, line, snapshot, wish }: Offer): Promise<boolean> {
  const command = `memctl device init ${shellWord(snapshot)} --gitattributes`
  if (wish === true) return true
  if (context.person || context.flags.yes) {
    const text = `Add '${line}' to ${path}, so that git merges snapshots without conflicts?`
    return await ask(context, { text, otherwise: true, flag: '--gitattributes', command })
  }
  await context.diagnostics.hint(
    `for merges without conflicts, add to ${path}: ${line} (or give --gitattributes to init)`
  )
  return false
}

/** The folder above a path that holds `.git`, a folder or, in linked work trees, a file. */
function workTree(files: Files, path: string): string | undefined {
  for (const folder of walkUpward(dirname(path))) {
    if (files.findEntry(join(folder, '.git')) !== undefined) return folder
  }
  return undefined
}

function patternFor(snapshot: string): string {
  const name = basename(snapshot)
  return name.endsWith('.mem.jsonl') ? '*.mem.jsonl' : name.replaceAll(/[\s"[\]*?\\]/g, '?')
}

function appendLine(files: Files, path: string, text: string): void {
  const there = files.find(path)
  const fd = there === undefined ? files.open(path, 'create', 0o644) : files.open(files.realPath(path), 'append')
  try {
    const bytes = Buffer.from(`${text}\n`)
    for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes.subarray(done))
  } finally {
    files.close(fd)
  }
}
