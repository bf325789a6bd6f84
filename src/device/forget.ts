import { Fault } from '../contract/faults.ts'
import { appendLines } from '../snapshot/append.ts'
import { asidePath, folderOf } from '../snapshot/aside.ts'
import { lineOf } from '../snapshot/check.ts'
import { forgetId } from '../snapshot/identity.ts'
import { withLock } from '../snapshot/lock.ts'
import { openSource } from '../snapshot/source.ts'
import { surveySnapshot } from '../snapshot/survey.ts'
import { quietly } from '../snapshot/system-fault.ts'
import { guarded, stopIfAborted } from './device-world.ts'
import { findId } from './find-id.ts'
import { indexFiles } from './index-files.ts'
import type { Opened } from './opened.ts'
import { asideNotes, nowText } from './store-one.ts'
import type { ForgetReport } from './types.ts'

export type ForgetOptions = { reason?: string | undefined; signal?: AbortSignal | undefined }

/**
 * Takes memories back, for good. All ids are looked up before anything is written, and all forget lines are one append.
 * @throws Fault `not_found` or `usage` for an id that is none; then nothing is forgotten.
 */
export async function forgetMemories(
  opened: Opened,
  idsOrPrefixes: readonly string[],
  { reason, signal }: ForgetOptions = {}
): Promise<ForgetReport> {
  const { world, path, options } = opened
  return guarded(`forget in ${path}`, async () => {
    const { real, live, already } = lookUp(opened, idsOrPrefixes)
    // Looked at first: once the forget lines are on the disk nothing may fail any more.
    const places = remains(opened, real)
    const at = nowText(world)
    const record = (target: string) => ({
      type: 'forget',
      id: forgetId(target),
      at,
      target,
      ...(reason === undefined ? {} : { reason })
    })
    const lines = Buffer.from(live.map((target) => `${lineOf(record(target))}\n`).join(''))
    const notes: string[] = []
    if (live.length > 0) {
      const work = (): ReturnType<typeof appendLines> => {
        stopIfAborted(signal, 'nothing was forgotten')
        return appendLines(world.files, real, { lines, witness: opened.witness(real) })
      }
      const { asideBytes } = await withLock(world, { path: real, waitMs: options.lockWaitMs, signal }, work)
      notes.push(...asideNotes(real, asideBytes))
    }
    return { forgotten: live, already, remains: places, notes }
  })
}

/**
 * What was forgotten leaves the index too. Where that is refused, the index leaves the cache: what is forgotten is so for
 * the next search in any case. Gives what there is to say.
 */
export async function forgetInIndex({ world, path }: Opened, refresh: () => Promise<unknown>): Promise<string[]> {
  try {
    await refresh()
    return []
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    quietly(() => indexFiles(world, world.files.realPath(path)).remove())
    return [`the index will be made anew by the next search: ${error.message}`]
  }
}

type LookUp = { real: string; live: string[]; already: string[] }

function lookUp({ world, path }: Opened, idsOrPrefixes: readonly string[]): LookUp {
  const source = openSource(world.files, path)
  try {
    const { table } = surveySnapshot(source)
    const ids = [...new Set(idsOrPrefixes.map((id) => findId(table, id)))]
    const text = (id: number): string => `mem_${table.ids.keys.toString('hex', id * 16, id * 16 + 16)}`
    return {
      real: source.path,
      live: ids.filter((id) => table.forget(id) < 0).map(text),
      already: ids.filter((id) => table.forget(id) >= 0).map(text)
    }
  } finally {
    source.close()
  }
}

/** Where forgotten text still is. */
function remains({ world: { files } }: Opened, real: string): string[] {
  const places = [`in ${real}, until \`memctl device compact\``]
  if (files.findEntry(asidePath(real)) !== undefined)
    places.push(`perhaps in ${asidePath(real)}, which memctl never deletes`)
  if (isInGitTree(files, real)) places.push('in the git history, where it was committed')
  places.push('in copies and exports made before')
  return places
}

function isInGitTree(files: Opened['world']['files'], path: string): boolean {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const base = folder.endsWith('/') ? folder : `${folder}/`
    if (files.findEntry(`${base}.git`) !== undefined) return true
    if (folderOf(folder) === folder) return false
  }
}
