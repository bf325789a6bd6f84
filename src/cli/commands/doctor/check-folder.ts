import { dirname } from 'node:path'
import type { Context } from '../../command/context.ts'
import { shellWord, shortBytes } from '../../output/short-forms.ts'
import { type CheckResult, ok, problem, warning } from './check.ts'

/** Whether a folder can be written to, by its owner alone. One that is not there is made where it is first needed. */
export async function checkFolder({ world, modules }: Context, folder: string, hint: string): Promise<CheckResult> {
  const machine = await modules.machine()
  const there = nearest(world.files, folder)
  if (world.files.find(there)?.kind !== 'folder') return problem(`${there} is no folder`, hint)
  if (!machine.mayWrite(there)) return problem(`${there} may not be written to`, hint)
  if (there !== folder && !machine.takesFolders(there))
    return problem(`${folder} is not there, and ${there} takes no folder`, hint)
  const mode = there === folder ? (world.files.find(folder)?.mode ?? 0) : 0
  if ((mode & OF_OTHERS) !== 0)
    return warning(`${folder} may be looked into by others`, `chmod 700 ${shellWord(folder)}`)
  return ok(folder)
}

/** Below this an index of a large snapshot may not fit. In bytes. */
const FREE_BYTES_LOW = 256 << 20

/** How much is free where folders lie: what counts is the least. */
export async function checkFreeSpace(
  { world, modules }: Context,
  folders: readonly string[],
  hint: string
): Promise<CheckResult> {
  const machine = await modules.machine()
  const free = folders.flatMap((folder) => machine.freeBytes(nearest(world.files, folder)) ?? [])
  const least = Math.min(...free)
  if (free.length === 0) return ok('the system does not say how much is free')
  const text = `${shortBytes(least)} free`
  return least >= FREE_BYTES_LOW ? ok(text) : warning(text, hint)
}

/** Permissions of group and others to write or to read. */
const OF_OTHERS = 0o066

function nearest(files: Context['world']['files'], folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (files.find(at) !== undefined || dirname(at) === at) return at
}
