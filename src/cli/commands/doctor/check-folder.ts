import { dirname } from 'node:path'
import type { Context } from '../../command/context.ts'
import { shellWord, shortBytes } from '../../output/short-forms.ts'
import { type CheckResult, ok, problem, warning } from './check.ts'

/** Checks that only the owner can write to a folder. A missing folder is fine if it can be created when it is first needed. */
export async function checkFolder({ world, modules }: Context, folder: string, hint: string): Promise<CheckResult> {
  const machine = await modules.machine()
  const there = nearest(world.files, folder)
  if (world.files.find(there)?.kind !== 'folder')
    return problem(`expected a folder at ${there}, found something else`, hint)
  if (!machine.mayWrite(there)) return problem(`${there} is not writable`, hint)
  if (there !== folder && !machine.takesFolders(there))
    return problem(`${folder} does not exist and cannot be created in ${there}`, hint)
  const mode = there === folder ? (world.files.find(folder)?.mode ?? 0) : 0
  if ((mode & OF_OTHERS) !== 0) return warning(`other users can access ${folder}`, `chmod 700 ${shellWord(folder)}`)
  return ok(folder)
}

/** With less free space, the index of a large snapshot may not fit. In bytes. */
const FREE_BYTES_LOW = 256 << 20

/** Checks the free disk space of several folders and reports the smallest. */
export async function checkFreeSpace(
  { world, modules }: Context,
  folders: readonly string[],
  hint: string
): Promise<CheckResult> {
  const machine = await modules.machine()
  const free = folders.flatMap((folder) => machine.freeBytes(nearest(world.files, folder)) ?? [])
  const least = Math.min(...free)
  if (free.length === 0) return ok('free space unknown: the system does not report it')
  const text = `${shortBytes(least)} free`
  return least >= FREE_BYTES_LOW ? ok(text) : warning(text, hint)
}

/** Read and write permissions of the group and of others. */
const OF_OTHERS = 0o066

function nearest(files: Context['world']['files'], folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (files.find(at) !== undefined || dirname(at) === at) return at
}
