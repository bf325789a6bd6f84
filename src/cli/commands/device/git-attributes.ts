import { basename, dirname, join } from 'node:path'
import type { Files } from '../../../ports.ts'
import { ask } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { readFileBytes, refusedBySystem } from '../../input/read-file.ts'
import { upward } from '../../input/upward.ts'
import { shellWord } from '../../output/short-forms.ts'

/**
 * Where a new snapshot lies in a git work tree: sees to the line that has git unite its lines and keep its bytes. `wish`
 * is what a flag said; without one a person is asked, and nobody else.
 */
export async function offerAttributes(context: Context, snapshot: string, wish: boolean | undefined): Promise<void> {
  const { files } = context.world
  const tree = workTree(files, snapshot)
  if (tree === undefined || wish === false) return
  const path = join(tree, '.gitattributes')
  const line = `${patternFor(snapshot)} -text merge=union`
  const before = Buffer.from(readFileBytes(files, path, ATTRIBUTES_BYTES_MAX) ?? []).toString('utf8')
  if (before.split(/\r?\n/).some((there) => there === line || saysHowToMerge(there, patternFor(snapshot)))) return
  if (!(await isWanted(context, { path, line, snapshot, wish }))) return
  refusedBySystem(path, () => appendLine(files, path, before === '' || before.endsWith('\n') ? line : `\n${line}`))
  await context.talk.note(`added to ${path}: ${line}`)
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
  await context.talk.hint(`for merges without conflicts, add to ${path}: ${line} (or give --gitattributes to init)`)
  return false
}

/** The folder above a path that holds `.git`, a folder or, in linked work trees, a file. */
function workTree(files: Files, path: string): string | undefined {
  for (const folder of upward(dirname(path))) {
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
