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
  words: [{ name: '[file]', about: `snapshot to create; the configured one by default, or else ./${SNAPSHOT_NAME}` }],
  options: [
    { flags: '--format <form>', about: 'format of the file: jsonl (one memory per line) or json (one object)' },
    { flags: '--gitattributes', about: 'configure git to merge snapshots by union in .gitattributes' },
    { flags: '--no-gitattributes', about: 'do not change .gitattributes, and do not ask' }
  ],
  about: 'Never overwrites a file. The default snapshot needs no init: the first store creates it.',
  examples: ['memctl device init', 'memctl device init notes.mem.jsonl --gitattributes'],
  leaves: 'The snapshot was created completely or not at all',
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
            ['created', made.path],
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
    throw new Fault('not_found', `the folder ${folder} does not exist`, { hint: first, next: [first] })
  }
  const deviceModule = await device()
  return await deviceModule.create(world, path, format === undefined ? {} : { format })
}

async function sendEmpty(context: Context, options: Options): Promise<void> {
  await spoolOutput(context.world, (path) => make(context, path, options))
}

/**
 * Adds a line to `.gitattributes` if the new snapshot is in a git work tree, so that git merges its lines by union and does not
 * convert line endings. `wish` is the value of the flag; without it, an interactive session is asked.
 */
async function offerAttributes(context: Context, snapshot: string, wish: boolean | undefined): Promise<void> {
  const { files } = context.world
  const tree = workTree(files, snapshot)
  if (tree === undefined || wish === false) return
  const path = join(tree, '.gitattributes')
  const line = `${patternFor(snapshot)} -text merge=union`
  const before = Buffer.from(readFileBytes(files, path, ATTRIBUTES_BYTES_MAX) ?? []).toString('utf8')
  if (before.split(/\r?\n/).some((there) => there === line || hasMergeAttribute(there, patternFor(snapshot)))) return
  if (!(await isWanted(context, { path, line, snapshot, wish }))) return
  makeSystemFault(path, () => appendLine(files, path, before === '' || before.endsWith('\n') ? line : `\n${line}`))
  await context.diagnostics.note(`Added to ${path}: ${line}`)
}

/** Checks whether a line already sets a merge attribute for the pattern, such as memctl as merge driver. It is kept. */
function hasMergeAttribute(line: string, pattern: string): boolean {
  const [first, ...attributes] = line.trim().split(/\s+/)
  return first === pattern && attributes.some((attribute) => attribute.startsWith('merge='))
}

/** Maximum size of a `.gitattributes` file in bytes. */
const ATTRIBUTES_BYTES_MAX = 1 << 20

type Offer = { path: string; line: string; snapshot: string; wish: boolean | undefined }

async function isWanted(context: Context, { path, line, snapshot, wish }: Offer): Promise<boolean> {
  const command = `memctl device init ${shellWord(snapshot)} --gitattributes`
  if (wish === true) return true
  if (context.person || context.flags.yes) {
    const text = `Add '${line}' to ${path} so that git merges snapshots without conflicts?`
    return await ask(context, { text, otherwise: true, flag: '--gitattributes', command })
  }
  await context.diagnostics.hint(
    `to merge without conflicts, add this line to ${path}: ${line} (init --gitattributes does it)`
  )
  return false
}

/** Finds the folder above a path that contains `.git`: a folder or, in linked work trees, a file. */
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
