import type { FileFacts } from '../../ports.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { Source } from '../../snapshot/file/source.ts'
import type { DamagedLine } from '../../snapshot/read-snapshot.ts'
import type { HeldIndex } from './cached-index.ts'
import { takeTail } from './create-line-taker.ts'
import { type FittingIndex, fitIndex } from './fitting-index.ts'
import { type IndexCover, nameCover, readForgottenIds } from './index-cover.ts'
import { type IndexFiles, type IndexWorld, isStamped, locateIndexFiles } from './index-files.ts'

/** A file that was opened, and the time just before, in milliseconds. */
export type OpenedFile = { source: Source; beforeMs: number }

/** What was noticed about a file while its index was fitted to it. */
export type Noticed = { damaged: Omit<DamagedLine, 'bytes'>[]; vanished: string[]; notes: string[] }

/** The same, with the ids that were forgotten, hex of 16 bytes each. */
export type NoticedNow = Noticed & { forgotten: () => ReadonlySet<string> }

/** Keeps the index of a file, in memory from one look to the next, and in the cache. Only one thing at a time may be asked of it. */
export type IndexKeeper = {
  /** Gives work an index that says what the file said when it was opened. */
  use<T>(file: OpenedFile, work: (index: SearchIndex, noticed: NoticedNow) => T): Promise<T>
  /** Where there is an index, what was forgotten leaves it, and nothing of it stays in the cache. */
  refresh(file: OpenedFile): Promise<Noticed | undefined>
  close(): void
}

/** A keeper that holds nothing yet. */
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

/** What a line without its LF tells of is in the index or forgotten. */
function collectForgotten(cover: IndexCover, tail: readonly string[] = []): Set<string> {
  return new Set([...readForgottenIds(cover), ...tail.map((id) => id.slice('mem_'.length))])
}

type State = { world: IndexWorld; held: HeldIndex | undefined }

function releaseIndex(state: State): void {
  state.held?.index.close()
  state.held = undefined
}

type Fitted = FittingIndex & { noticed: Noticed }

/** What is held is handed over: should the fitting fail, nothing is left that is half changed. */
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
    if (problem !== undefined) notes.push(`the index was not kept: ${problem}`)
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

/** So many bytes of new lines are rather read again by the next process than an index written for them. */
const UNSAVED_BYTES_MAX = 256 * 1024

/** Of a small file, whose index is soon written, only such a part. */
const UNSAVED_PART_MAX = 1 / 16

/** What the cache has is written anew where it is no beginning of this index, or lacks much of it. */
function isWorthSaving({ saved, cover: { proof } }: FittingIndex): boolean {
  if (saved === undefined) return true
  return proof.end - saved.end > Math.min(UNSAVED_BYTES_MAX, proof.end * UNSAVED_PART_MAX)
}

/** File systems count time in steps, of 10 ms at most where files are changed at any speed. */
const STEP_MS_MAX = 20

/**
 * Whether the file had been left alone for a while when it was opened. Only then does every later change show in its
 * facts: one made within the same step of time as the last may leave size and times as they are.
 */
function isAtRest({ source: { facts }, beforeMs }: OpenedFile): boolean {
  return Math.abs(beforeMs - toChangedMs(facts)) >= STEP_MS_MAX
}

function toChangedMs({ mtimeNs, ctimeNs }: FileFacts): number {
  return Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n)
}

/**
 * The stamp speaks of the index that is in the cache: of ours where we saw it there just now, and of another process's
 * where that has stamped this state of the file. It may be written after the file was changed again: then it fits no file
 * that anybody will see.
 */
function keepStamp(files: IndexFiles, { saved, proven, line }: HeldIndex, isInCache: boolean): void {
  if (proven === undefined || saved === undefined) return
  const stamp = files.stamp()
  const nonce = isInCache ? saved.nonce : (stamp?.nonce ?? saved.nonce)
  if (!isStamped(stamp, nonce, proven)) files.setStamp({ nonce: saved.nonce, line, facts: proven })
}
