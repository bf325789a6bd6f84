import type { FileFacts } from '../../ports.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { Source } from '../../snapshot/file/source.ts'
import type { DamagedLine } from '../../snapshot/read-snapshot.ts'
import type { HeldIndex } from './cached-index.ts'
import { takeTail } from './create-line-taker.ts'
import { type FittingIndex, fitIndex } from './fitting-index.ts'
import { type IndexCover, nameCover, readForgottenIds } from './index-cover.ts'
import { type IndexFiles, type IndexWorld, isStamped, locateIndexFiles } from './index-files.ts'

/** An open file, and the time just before it was opened, in milliseconds. */
export type OpenedFile = { source: Source; beforeMs: number }

/** Findings about a file while its index was updated. */
export type Noticed = { damaged: Omit<DamagedLine, 'bytes'>[]; vanished: string[]; notes: string[] }

/** The findings, with the forgotten ids as hex of 16 bytes each. */
export type NoticedNow = Noticed & { forgotten: () => ReadonlySet<string> }

/** Keeps the index of a file in memory between searches, and in the cache. Calls must not overlap. */
export type IndexKeeper = {
  /** Runs work with an index that matches the file as it was when it was opened. */
  use<T>(file: OpenedFile, work: (index: SearchIndex, noticed: NoticedNow) => T): Promise<T>
  /** Removes forgotten memories from an existing index, and from the cache. */
  refresh(file: OpenedFile): Promise<Noticed | undefined>
  close(): void
}

/** Creates a keeper without an index. */
export function createIndexKeeper(world: IndexWorld): IndexKeeper {
  const state: State = { world, held: undefined }
  return {
    async use(file, work) {
      const { index, cover, isProven, noticed } = await fitHeld(state, file)
      const tail = isProven ? takeTail(file.source, index, cover) : undefined
      const vanished = noticed.vanished.filter((id) => !tail?.includes(id))
      try {
        return work(index, { ...noticed, vanished, forgotten: () => collectForgotten(cover, tail) })
      } finally {
        if (tail !== undefined) releaseIndex(state)
        else if (!isProven) index.close()
      }
    },
    async refresh(file) {
      const files = locateIndexFiles(world, file.source.path)
      if (state.held === undefined && !files.exists()) return undefined
      const { index, isProven, saved, noticed } = await fitHeld(state, file)
      if (saved === undefined) files.remove()
      if (!isProven) index.close()
      return noticed
    },
    close: () => releaseIndex(state)
  }
}

/** The ids in a line without an LF are either in the index or forgotten. */
function collectForgotten(cover: IndexCover, tail: readonly string[] = []): Set<string> {
  return new Set([...readForgottenIds(cover), ...tail.map((id) => id.slice('mem_'.length))])
}

type State = { world: IndexWorld; held: HeldIndex | undefined }

function releaseIndex(state: State): void {
  state.held?.index.close()
  state.held = undefined
}

type Fitted = FittingIndex & { noticed: Noticed }

/** Passes the kept index on, so that nothing half-changed remains if the update fails. */
async function fitHeld(state: State, file: OpenedFile): Promise<Fitted> {
  const { world } = state
  const { source } = file
  const files = locateIndexFiles(world, source.path)
  if (state.held?.cover.path !== source.path) releaseIndex(state)
  const { held } = state
  state.held = undefined
  const fitting = await fitIndex({ world, source, files, held })
  let isInCache = held === undefined
  const { note, vanished } = fitting
  const notes = note === undefined ? [] : [note]
  const noticed = { damaged: fitting.cover.damaged, vanished, notes }
  if (!fitting.isProven) return { ...fitting, noticed }
  if (fitting.isNew && isWorthSaving(fitting)) {
    fitting.cover = nameCover(world, fitting.index, fitting.cover)
    const problem = await files.save(fitting.index.toBytes())
    if (problem !== undefined) notes.push(`the index could not be saved: ${problem}`)
    const { nonce, proof } = fitting.cover
    fitting.saved = problem === undefined ? { nonce, end: proof.end } : undefined
    isInCache = true
  }
  const { index, cover, saved, isStamped } = fitting
  const proven = isStamped || isAtRest(file) ? source.facts : undefined
  const line = isStamped ? fitting.line : world.ids.randomHex(8)
  state.held = { index, cover, saved, proven, line }
  keepStamp(files, state.held, isInCache)
  return { ...fitting, noticed }
}

/** Up to this number of bytes of new lines, reading them again in the next process costs less than saving the index. */
const UNSAVED_BYTES_MAX = 256 * 1024

/** For a small file, whose index is saved quickly, the limit is this part of it. */
const UNSAVED_PART_MAX = 1 / 16

/** Checks whether the cached index is not a beginning of this one, or lacks much of it. */
function isWorthSaving({ saved, cover: { proof } }: FittingIndex): boolean {
  if (saved === undefined) return true
  return proof.end - saved.end > Math.min(UNSAVED_BYTES_MAX, proof.end * UNSAVED_PART_MAX)
}

/** File systems count time in steps of at most 10 ms at any usual speed. */
const STEP_MS_MAX = 20

/**
 * Checks whether the file had been unchanged for a while when it was opened. Only then does every later change alter
 * its facts: a change within the same clock step may leave size and times unchanged.
 */
function isAtRest({ source: { facts }, beforeMs }: OpenedFile): boolean {
  return Math.abs(beforeMs - toChangedMs(facts)) >= STEP_MS_MAX
}

function toChangedMs({ mtimeNs, ctimeNs }: FileFacts): number {
  return Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n)
}

/**
 * Writes the stamp for the index that is in the cache: our own if it was just seen there, or that of another process if
 * it has stamped this state of the file. If the file has changed again meanwhile, the stamp matches no later state.
 */
function keepStamp(files: IndexFiles, { saved, proven, line }: HeldIndex, isInCache: boolean): void {
  if (proven === undefined || saved === undefined) return
  const stamp = files.stamp()
  const nonce = isInCache ? saved.nonce : (stamp?.nonce ?? saved.nonce)
  if (!isStamped(stamp, nonce, proven)) files.setStamp({ nonce: saved.nonce, line, facts: proven })
}
