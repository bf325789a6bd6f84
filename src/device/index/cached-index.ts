import { UnusableIndex } from '../../search/index/seal-bytes.ts'
import { openIndex, type SearchIndex } from '../../search/search-index.ts'
import type { Source } from '../../snapshot/file/source.ts'
import { type IndexCover, readCover } from './index-cover.ts'
import { type IndexFiles, type IndexWorld, isSameFile, isStamped, type StampFacts } from './index-files.ts'

/** An open index and what it covers. */
export type OpenedIndex = { index: SearchIndex; cover: IndexCover }

/** An index as it is held in memory since an earlier search. */
export type HeldIndex = OpenedIndex & {
  /** How the file looked when its prefix was last proven; undefined where it had been changed too lately to tell. */
  proven: StampFacts | undefined
  /** The line of stamps by which it was last known to fit; empty where there was none. */
  line: string
  saved: Saved | undefined
}

/** What the cache has of an index that is held: this very one, or what it was before the last lines of the file came. */
export type Saved = { nonce: string; end: number }

/** An index from an earlier look, and what is known about it without reading the snapshot. */
export type CachedIndex = {
  opened: OpenedIndex | undefined
  /** The file looks as it did when its prefix was last proven. */
  isStamped: boolean
  /** The line of stamps that says so; empty where none does. */
  line: string
  saved: Saved | undefined
  /** Why what is in the cache cannot be used; undefined where it can, or there is nothing. */
  unusable: string | undefined
}

export type CacheRequest = {
  world: IndexWorld
  source: Source
  files: IndexFiles
  /** Handed over: it is closed unless it comes back. */
  held?: HeldIndex | undefined
}

/**
 * The index of the last look: the held one, unless only the one in the cache is known to fit. Another process may have
 * looked at the file since, and its index saves this one from reading the whole file again.
 */
export async function openCachedIndex(request: CacheRequest): Promise<CachedIndex> {
  const { source, files, held } = request
  const stamp = files.stamp()
  const fits = stamp !== undefined && isStamped(stamp, stamp.nonce, source.facts)
  if (held === undefined) {
    const loaded = await loadIndex(request)
    const isStamped = fits && loaded.opened?.cover.nonce === stamp.nonce
    return { ...loaded, isStamped, line: isStamped ? stamp.line : '', saved: toSaved(loaded.opened) }
  }
  const isOfLine = fits && stamp.line === held.line
  const isHeldStamped = isOfLine || isSameFile(held.proven, source.facts)
  const line = fits ? stamp.line : held.line
  const found = { opened: held, isStamped: isHeldStamped, line, saved: held.saved, unusable: undefined }
  if (isHeldStamped || !fits) return found
  const { opened } = await loadIndex(request)
  const isBetter = opened?.cover.nonce === stamp.nonce
  const other = isBetter ? held : opened
  other?.index.close()
  return isBetter ? { opened, isStamped: true, line, saved: toSaved(opened), unusable: undefined } : found
}

function toSaved(opened: OpenedIndex | undefined): Saved | undefined {
  return opened === undefined ? undefined : { nonce: opened.cover.nonce, end: opened.cover.proof.end }
}

type Loaded = Pick<CachedIndex, 'opened' | 'unusable'>

async function loadIndex({ world, source, files }: CacheRequest): Promise<Loaded> {
  const bytes = files.load()
  if (bytes === undefined) return { opened: undefined, unusable: undefined }
  try {
    const index = await openIndex(world.assets, bytes)
    const cover = readCover(index)
    if (cover?.path === source.path) return { opened: { index, cover }, unusable: undefined }
    index.close()
    return { opened: undefined, unusable: 'the cached index is of another file' }
  } catch (error) {
    // Whatever is wrong with it, it is only a cache; what is wrong with more than this one shows when it is made anew.
    const why = error instanceof UnusableIndex ? error.message : `it cannot be read (${describeError(error)})`
    return { opened: undefined, unusable: why }
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
