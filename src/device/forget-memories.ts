import { dirname } from 'node:path'
import { Fault } from '../contract/faults.ts'
import type { Files } from '../ports.ts'
import { appendLines } from '../snapshot/append-lines.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { openSource } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import { toAsidePath } from '../snapshot/put-aside.ts'
import { serializeForget } from '../snapshot/record/identity.ts'
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
  /** Also removes the text from the file. */
  compact?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Forgets memories permanently. All ids are looked up before anything is written, and all forget lines are one append.
 * `refresh` updates the index.
 * @throws Fault `not_found` or `usage` for an unknown id, `invalid_input` or `too_large` for a reason that a line
 * cannot hold: then nothing is forgotten. If `compact` fails, the fault says that the memories are forgotten anyway.
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
  // Checked first, because after the forget lines are on the disk nothing may fail.
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
  const lines = targets.map((target) => serializeForget(target, at, reason))
  // All lines have the same length.
  const longest = Buffer.byteLength(lines[0] ?? '')
  if (longest >= LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `the reason is too long: its line would take ${longest} bytes, but a line may have at most ${LINE_BYTES_MAX}`
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
    const message = `the memories are forgotten, but their text is still in the file: ${error.message}`
    throw new Fault(error.code, message, { ...more, cause: error })
  }
}

/**
 * Removes forgotten memories from the index. If that fails, deletes the index from the cache, so that the next search
 * does not find them in any case. Returns notes.
 */
async function forgetInIndex({ world, path }: Opened, refresh: () => Promise<Noticed | undefined>): Promise<string[]> {
  try {
    const noticed = await refresh()
    return (noticed?.vanished ?? []).map(
      (id) => `${id} was in the file when it was last indexed; now it is neither there nor forgotten`
    )
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    dropIndex(world, path)
    return [`the next search will rebuild the index: ${error.message}`]
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

/** Lists where forgotten text still exists, one sentence per place; first the snapshot at this real path. */
function listTextRemains(files: Files, real: string): string[] {
  const places = [`in ${real}, until it is compacted`]
  if (files.findEntry(toAsidePath(real)) !== undefined)
    places.push(`possibly in ${toAsidePath(real)}, which memctl never deletes`)
  if (isInGitTree(files, real)) places.push('in the git history, if it was committed')
  places.push('in earlier copies and exports')
  return places
}

function isInGitTree(files: Files, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const base = folder.endsWith('/') ? folder : `${folder}/`
    if (files.findEntry(`${base}.git`) !== undefined) return true
    if (dirname(folder) === folder) return false
  }
}
