import { createIndex, type SearchIndex } from '../../search/search-index.ts'
import { type BlockProof, countProvenBlocks, createHashingSource } from '../../snapshot/block-proof.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX } from '../../snapshot/file/limits.ts'
import type { Source } from '../../snapshot/file/source.ts'
import { walkLines } from '../../snapshot/file/walk-lines.ts'
import { detectForm } from '../../snapshot/read-snapshot.ts'
import { sha256 } from '../../snapshot/record/compute-check.ts'
import { type CachedIndex, type CacheRequest, type OpenedIndex, openCachedIndex, type Saved } from './cached-index.ts'
import { limitToWholeLines, takeLines, type WholeLines } from './create-line-taker.ts'
import { type IndexCover, readForgottenIds } from './index-cover.ts'

/** An index that matches the complete lines of the file as it was when it was opened. */
export type FittingIndex = OpenedIndex & {
  /**
   * Its cover was read from this very file. False if the file changed meanwhile: then the index is good for one search.
   */
  isProven: boolean
  /** A stamp proved an earlier index: no other program has written to the file since. */
  isStamped: boolean
  /** The line of the stamps that proved it. */
  line: string
  /** It differs from the earlier index. */
  isNew: boolean
  /** The state in the cache; undefined if the cache has no beginning of this index. */
  saved: Saved | undefined
  /** Ids of an earlier index that are neither in complete lines of the file nor forgotten. */
  vanished: string[]
  /** Why an earlier index could not be used unchanged, and what was done. */
  note: string | undefined
}

/**
 * Brings the index of a snapshot file up to date. If a stamp or block hashes prove the prefix of the earlier index, the
 * new lines are added; if only some blocks match, their part is kept; otherwise the index is rebuilt. An index is a
 * cache, so no problem with it is an error. An opened index that is not returned is closed.
 *
 * Everything is read from one descriptor: if the file is replaced meanwhile, the old content is used, and later appends
 * are left to the next search.
 */
export async function fitIndex(request: CacheRequest): Promise<FittingIndex> {
  const cached = await openCachedIndex(request)
  if (cached.opened === undefined) return buildIndex(request, cached.unusable)
  try {
    return await fitOpened(request, cached, cached.opened)
  } catch (error) {
    cached.opened.index.close()
    throw error
  }
}

async function fitOpened(request: CacheRequest, cached: CachedIndex, opened: OpenedIndex): Promise<FittingIndex> {
  const { source } = request
  const { saved, isStamped, line } = cached
  const { index, cover } = opened
  const known = { index, isProven: true, isStamped, line, vanished: [], note: undefined }
  const unchanged = { ...known, cover, saved, isNew: false }
  if (isStamped && source.facts.size === cover.proof.end) return unchanged
  const lines = limitToWholeLines(source, isStamped ? cover.form : detectForm(source))
  const misfit = isStamped ? undefined : findMismatch(lines, cover)
  if (misfit !== undefined) return repairIndex(request, opened, { ...misfit, lines })
  if (lines.facts.size === cover.proof.end) return unchanged
  const taken = takeLines(lines, index, cover)
  const begins = taken.cover.lastTwist === cover.lastTwist
  if (taken.isProven) return { ...known, cover: taken.cover, saved: begins ? saved : undefined, isNew: true }
  return replaceIndex(request, opened, { why: 'the file changed while it was being read', removed: [] })
}

const NEW = { isNew: true, saved: undefined, isStamped: false, line: '' }

/** Why the file does not start with the content that the index covers, and how many blocks of that are unchanged. */
type Mismatch = { why: string; proven: number }

/** Returns undefined if the whole prefix is proven. */
function findMismatch(lines: WholeLines, { proof, header, form }: IndexCover): Mismatch | undefined {
  const { size } = lines.facts
  if (form !== lines.form) return { why: 'the file has changed to the other form', proven: 0 }
  if (form === 'json' && size !== proof.end) return { why: 'the file was rewritten', proven: 0 }
  if (hashHeader(lines) !== header) return { why: 'the header has changed', proven: 0 }
  const proven = countProvenBlocks(lines, proof)
  if (proven === proof.blocks.length) return undefined
  const why =
    size < proof.end ? 'the file is shorter than before' : `the file differs from byte ${proven * BLOCK_BYTES} on`
  return { why, proven: form === 'json' ? 0 : proven }
}

/** Replaces the parts of the earlier index that no longer match, or rebuilds it. */
async function repairIndex(
  request: CacheRequest,
  { index, cover }: OpenedIndex,
  { lines, why, proven }: Mismatch & { lines: WholeLines }
): Promise<FittingIndex> {
  const cut = proven === 0 ? undefined : cutBack(lines, { index, cover, blocks: proven })
  if (cut === undefined) return replaceIndex(request, { index, cover }, { why, removed: [] })
  const taken = takeLines(lines, index, cut.cover)
  if (!taken.isProven) return replaceIndex(request, { index, cover }, { why, removed: cut.removed })
  const fitting = { index, cover: taken.cover }
  return {
    ...fitting,
    ...NEW,
    isProven: true,
    vanished: findMissingIds(cut.removed, fitting),
    note: `the index was repaired: ${why}`
  }
}

/** Rebuilds an index that does not match and from which some ids have already been removed. */
async function replaceIndex(
  request: CacheRequest,
  old: OpenedIndex,
  { why, removed }: { why: string; removed: Uint8Array[] }
): Promise<FittingIndex> {
  const fresh = await buildIndex(request, why)
  if (fresh.isProven) fresh.vanished = findMissingIds([...removed, ...old.index.ids()], fresh)
  old.index.close()
  return fresh
}

async function buildIndex({ world, source }: CacheRequest, why: string | undefined): Promise<FittingIndex> {
  const lines = limitToWholeLines(source, detectForm(source))
  const empty: IndexCover = {
    path: source.path,
    form: lines.form,
    nextLine: 1,
    proof: { end: 0, blocks: [] },
    header: hashHeader(source),
    nonce: '',
    damaged: [],
    forgotten: '',
    lastTwist: -1
  }
  const index = await createIndex(world.assets)
  try {
    const note = why === undefined ? undefined : `the index was rebuilt: ${why}`
    return { index, ...takeLines(lines, index, empty), ...NEW, vanished: [], note }
  } catch (error) {
    index.close()
    throw error
  }
}

function hashHeader(source: Source): string {
  const head = Buffer.alloc(Math.min(source.facts.size, HEADER_BYTES_MAX))
  const bytes = head.subarray(0, source.read(head, 0))
  const lf = bytes.indexOf(0x0a)
  return sha256(lf < 0 ? bytes : bytes.subarray(0, lf))
}

/** Returns the ids that an index neither contains nor knows as forgotten. */
function findMissingIds(ids: Iterable<Uint8Array>, { index, cover }: OpenedIndex): string[] {
  const forgotten = readForgottenIds(cover)
  const missing: string[] = []
  for (const id of ids) {
    const hex = Buffer.from(id).toString('hex')
    if (index.find(id) === undefined && !forgotten.has(hex)) missing.push(`mem_${hex}`)
  }
  return missing
}

/** An index, its cover, and how many leading blocks of that are unchanged in the file. */
type Cut = { index: SearchIndex; cover: IndexCover; blocks: number }

/**
 * Removes from an index what is not in the proven blocks: everything from the line that contains the end of the last of
 * them. Returns undefined, without changes, if that is not enough because a later line affected earlier ones.
 */
function cutBack(
  source: Source,
  { index, cover, blocks }: Cut
): { cover: IndexCover; removed: Uint8Array[] } | undefined {
  const { end, count } = countLinesBefore(source, blocks * BLOCK_BYTES)
  const proof = proveUpTo(source, end, cover.proof.blocks)
  if (end === 0 || cover.lastTwist >= end || proof === undefined) return undefined
  const removed: Uint8Array[] = []
  for (const id of index.ids()) if ((index.find(id)?.offset ?? 0) >= end) removed.push(Uint8Array.from(id))
  for (const id of removed) index.remove(id)
  const damaged = cover.damaged.filter(({ offset }) => offset < end)
  return { cover: { ...cover, proof, damaged, nextLine: count + 1 }, removed }
}

/** Counts the lines that end before byte `limit`. */
function countLinesBefore(source: Source, limit: number): { count: number; end: number } {
  const before = { ...source, facts: { ...source.facts, size: limit } }
  let count = 0
  let end = 0
  walkLines(before, { offset: 0, number: 1 }, (line) => {
    if (!line.terminated) return false
    count++
    end = line.offset + line.length
    return true
  })
  return { count, end }
}

/** Extends a proof of whole blocks to `end`; reads only the bytes after those blocks. */
function proveUpTo(source: Source, end: number, proven: readonly string[]): BlockProof | undefined {
  const whole = Math.floor(end / BLOCK_BYTES)
  const hashing = createHashingSource(source, { end: whole * BLOCK_BYTES, blocks: proven.slice(0, whole) })
  hashing.source.read(Buffer.allocUnsafe(end % BLOCK_BYTES), whole * BLOCK_BYTES)
  return hashing.proofTo(end)
}
