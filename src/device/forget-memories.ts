import { dirname } from 'node:path'
import { Fault } from '../contract/faults.ts'
import type { Files } from '../ports.ts'
import { appendLines } from '../snapshot/append-lines.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { openSource } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import { toAsidePath } from '../snapshot/put-aside.ts'
import { serializeRecord } from '../snapshot/record/compute-check.ts'
import { computeForgetId } from '../snapshot/record/identity.ts'
import { surveyInParts } from '../snapshot/survey.ts'
import { compactFile } from './compact-file.ts'
import type { ForgetReport } from './device.ts'
import { createSurveyHelp, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'
import { findId } from './find-id.ts'
import { dropIndex } from './index/index-files.ts'
import type { Noticed } from './index/index-keeper.ts'
import { describeAside, formatNow } from './store-one.ts'
import { validateText } from './validate-store-input.ts'

type ForgetOptions = {
  reason?: string | undefined
  /** Also takes the text out of the file. */
  compact?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Takes memories back, for good. All ids are looked up before anything is written, and all forget lines are one append.
 * `refresh` brings the index up to date.
 * @throws Fault `not_found` or `usage` for an id that is none, `invalid_input` or `too_large` for a reason that no line can
 * hold: then nothing is forgotten. A fault of `compact` says that the memories are forgotten all the same.
 */
export async function forgetMemories(
  opened: Opened,
  idsOrPrefixes: readonly string[],
  { refresh, ...options }: ForgetOptions & { refresh: () => Promise<Noticed | undefined> }
): Promise<ForgetReport> {
  const report = await withSystemFaults(`forget in ${opened.path}`, () => appendForgets(opened, idsOrPrefixes, options))
  try {
    if (options.compact) await compactTextAway(opened, report, options.signal)
  } finally {
    report.notes.push(...(await forgetInIndex(opened, refresh)))
  }
  return report
}

async function appendForgets(
  opened: Opened,
  idsOrPrefixes: readonly string[],
  { reason, signal }: ForgetOptions
): Promise<ForgetReport> {
  const { world, options } = opened
  validateText('reason', reason)
  const { real, live, already, falling } = await findTargets(opened, idsOrPrefixes, signal)
  // Looked at first: once the forget lines are on the disk nothing may fail any more.
  const places = listTextRemains(world.files, real)
  const notes: string[] = []
  if (live.length > 0) {
    const lines = buildForgetLines(live, { at: formatNow(world), reason })
    const { asideBytes } = await withLock(world, { path: real, waitMs: options.lockWaitMs, signal }, () => {
      stopIfAborted(signal, UNTOUCHED)
      return appendLines(world.files, real, { lines, witness: opened.witness(real) })
    })
    notes.push(...describeAside(real, asideBytes))
  }
  return { forgotten: live, already, fallen: falling, remains: places, notes }
}

const UNTOUCHED = 'nothing was forgotten'

function buildForgetLines(
  targets: readonly string[],
  { at, reason }: { at: string; reason: string | undefined }
): Buffer {
  const more = reason === undefined ? {} : { reason }
  const lines = targets.map((target) =>
    serializeRecord({ type: 'forget', id: computeForgetId(target), at, target, ...more })
  )
  // All are equally long.
  const longest = Buffer.byteLength(lines[0] ?? '')
  if (longest >= LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `with this reason a line would take ${longest} bytes, and it may have ${LINE_BYTES_MAX}`
    )
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

async function compactTextAway(opened: Opened, report: ForgetReport, signal: AbortSignal | undefined): Promise<void> {
  try {
    const { notes } = await compactFile(opened, signal === undefined ? {} : { signal })
    report.notes.push(...notes)
    report.remains = report.remains.slice(1)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const more = error.hint === undefined ? {} : { hint: error.hint }
    const message = `the memories are forgotten, and their text is still in the file: ${error.message}`
    throw new Fault(error.code, message, { ...more, cause: error })
  }
}

/**
 * What was forgotten leaves the index too. Where that is refused, the index leaves the cache: what is forgotten is so for
 * the next search in any case. Gives what there is to say.
 */
async function forgetInIndex({ world, path }: Opened, refresh: () => Promise<Noticed | undefined>): Promise<string[]> {
  try {
    const noticed = await refresh()
    return (noticed?.vanished ?? []).map(
      (id) => `${id} was here at the last look; now it is neither here nor forgotten`
    )
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    dropIndex(world, path)
    return [`the index will be made anew by the next search: ${error.message}`]
  }
}

type Targets = { real: string; live: string[]; already: string[]; falling: number }

async function findTargets(
  { world, path }: Opened,
  idsOrPrefixes: readonly string[],
  signal: AbortSignal | undefined
): Promise<Targets> {
  const source = openSource(world.files, path)
  try {
    const { table } = await surveyInParts(source, createSurveyHelp(world, signal, UNTOUCHED))
    const ids = [...new Set(idsOrPrefixes.map((id) => findId(table, id)))]
    const text = (id: number): string => `mem_${table.ids.keys.toString('hex', id * 16, id * 16 + 16)}`
    const live = ids.filter((id) => table.forget(id) < 0)
    return {
      real: source.path,
      live: live.map(text),
      falling: table.countFalling(new Set(live)),
      already: ids.filter((id) => table.forget(id) >= 0).map(text)
    }
  } finally {
    source.close()
  }
}

/** Where text that was forgotten still is, a sentence each; the snapshot at this real path itself first. */
function listTextRemains(files: Files, real: string): string[] {
  const places = [`in ${real}, until it is compacted`]
  if (files.findEntry(toAsidePath(real)) !== undefined)
    places.push(`perhaps in ${toAsidePath(real)}, which memctl never deletes`)
  if (isInGitTree(files, real)) places.push('in the git history, where it was committed')
  places.push('in copies and exports made before')
  return places
}

function isInGitTree(files: Files, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const base = folder.endsWith('/') ? folder : `${folder}/`
    if (files.findEntry(`${base}.git`) !== undefined) return true
    if (dirname(folder) === folder) return false
  }
}
