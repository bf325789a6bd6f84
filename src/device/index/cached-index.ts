import { UnusableIndex } from '../../search/index/seal-bytes.ts'
import { openIndex, type SearchIndex } from '../../search/search-index.ts'
import type { Source } from '../../snapshot/file/source.ts'
import { type IndexCover, readCover } from './index-cover.ts'
import { type IndexFiles, type IndexWorld, isSameFile, isStamped, type StampFacts } from './index-files.ts'

/** An open index and its cover. */
export type OpenedIndex = { index: SearchIndex; cover: IndexCover }

/** An index kept in memory since an earlier search. */
export type HeldIndex = OpenedIndex & {
  /** The file's facts when its prefix was last proven; undefined if it had been changed too recently to tell. */
  proven: StampFacts | undefined
  /** The line of stamps by which it was last known to match; empty if there was none. */
  line: string
  saved: Saved | undefined
}

/** The state of a kept index in the cache: the current one, or the one before the last lines were added. */
export type Saved = { nonce: string; end: number }

/** An index from an earlier run, and what is known about it without reading the snapshot. */
export type CachedIndex = {
  opened: OpenedIndex | undefined
  /** The file's facts equal those at the last proof. */
  isStamped: boolean
  /** The line of stamps that proves it; empty if none does. */
  line: string
  saved: Saved | undefined
  /** Why the cached index cannot be used; undefined if it can or does not exist. */
  unusable: string | undefined
}

export type CacheRequest = {
  world: IndexWorld
  source: Source
  files: IndexFiles
  /** Ownership passes to the receiver; it is closed unless it is returned. */
  held?: HeldIndex | undefined
}

/**
 * Opens the last index: the one in memory, unless only the cached one is known to match. Another process may have
 * indexed the file since, and its index saves reading the whole file again.
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
    return { opened: undefined, unusable: 'the cached index belongs to another file' }
  } catch (error) {
    // Any error here only affects the cache; a general problem shows when the index is rebuilt.
    const why = error instanceof UnusableIndex ? error.message : `it cannot be read (${describeError(error)})`
    return { opened: undefined, unusable: why }
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
