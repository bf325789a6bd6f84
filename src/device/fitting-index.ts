import { createIndex } from '../search/index/search-index.ts'
import { countProvenBlocks } from '../snapshot/block-proof.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { Source } from '../snapshot/file/source.ts'
import { detectForm } from '../snapshot/read-snapshot.ts'
import { sha256 } from '../snapshot/record/check.ts'
import { type CachedIndex, type CacheRequest, type OpenedIndex, openCachedIndex, type Saved } from './cached-index.ts'
import { cutBack } from './cut-back.ts'
import { forgottenIn, type IndexCover } from './index-cover.ts'
import { takeLines, type WholeLines, wholeLines } from './take-lines.ts'

/** An index that fits the whole lines of the file as it was when it was opened. */
export type FittingIndex = OpenedIndex & {
  /** What it covers was read from this very file. False where that changed while it was read: it is good for one search. */
  isProven: boolean
  /** An earlier index was believed by its stamp: nobody but us has written to the file since that was proven. */
  isStamped: boolean
  /** The line of stamps that said so. */
  line: string
  /** It is another than the earlier one was. */
  isNew: boolean
  /** What the cache has of it; undefined where it has nothing that this index begins with. */
  saved: Saved | undefined
  /** Ids that an earlier index had and that are neither in whole lines of the file nor forgotten there. */
  vanished: string[]
  /** What became of an earlier index that could not be used as it was, and why. */
  note: string | undefined
}

/**
 * The index of a snapshot file, brought up to date: the earlier one where its prefix is proven, by stamp or by blocks, with
 * the file's new lines taken in; what of it stands in proven blocks; else one made anew. An index is a cache: nothing
 * about it is ever an error. One that was opened and does not come back is closed.
 *
 * All is read from one descriptor: a file that is replaced meanwhile is answered for as it was, and what is appended
 * meanwhile is for the next search.
 */
export async function fitIndex(request: CacheRequest): Promise<FittingIndex> {
  const cached = await openCachedIndex(request)
  if (cached.opened === undefined) return freshIndex(request, cached.unusable)
  try {
    return await fitted(request, cached, cached.opened)
  } catch (error) {
    cached.opened.index.close()
    throw error
  }
}

async function fitted(request: CacheRequest, cached: CachedIndex, opened: OpenedIndex): Promise<FittingIndex> {
  const { source } = request
  const { saved, isStamped, line } = cached
  const { index, cover } = opened
  const known = { index, isProven: true, isStamped, line, vanished: [], note: undefined }
  const unchanged = { ...known, cover, saved, isNew: false }
  if (isStamped && source.facts.size === cover.proof.end) return unchanged
  const lines = wholeLines(source, isStamped ? cover.form : detectForm(source))
  const misfit = isStamped ? undefined : misfitOf(lines, cover)
  if (misfit !== undefined) return refitted(request, opened, { ...misfit, lines })
  if (lines.facts.size === cover.proof.end) return unchanged
  const taken = takeLines(lines, index, cover)
  const begins = taken.cover.lastTwist === cover.lastTwist
  if (taken.isProven) return { ...known, cover: taken.cover, saved: begins ? saved : undefined, isNew: true }
  return replaced(request, opened, { why: 'the file changed while it was read', removed: [] })
}

const NEW = { isNew: true, saved: undefined, isStamped: false, line: '' }

/** Why the file does not begin with what the index covers, and how many blocks of it still stand. */
type Misfit = { why: string; proven: number }

/** Undefined where the whole prefix is proven. */
function misfitOf(lines: WholeLines, { proof, header, form }: IndexCover): Misfit | undefined {
  const { size } = lines.facts
  if (form !== lines.form) return { why: 'the file is in the other form now', proven: 0 }
  if (form === 'json' && size !== proof.end) return { why: 'the file was rewritten', proven: 0 }
  if (headerHash(lines) !== header) return { why: 'the header is another', proven: 0 }
  const proven = countProvenBlocks(lines, proof)
  if (proven === proof.blocks.length) return undefined
  const why =
    size < proof.end ? 'the file is shorter than it was' : `the file differs from byte ${proven * BLOCK_BYTES} on`
  return { why, proven: form === 'json' ? 0 : proven }
}

/** The earlier index without what no longer stands, and with what stands there instead; or one made anew. */
async function refitted(
  request: CacheRequest,
  { index, cover }: OpenedIndex,
  { lines, why, proven }: Misfit & { lines: WholeLines }
): Promise<FittingIndex> {
  const cut = proven === 0 ? undefined : cutBack(lines, { index, cover, blocks: proven })
  if (cut === undefined) return replaced(request, { index, cover }, { why, removed: [] })
  const taken = takeLines(lines, index, cut.cover)
  if (!taken.isProven) return replaced(request, { index, cover }, { why, removed: cut.removed })
  const fitting = { index, cover: taken.cover }
  return {
    ...fitting,
    ...NEW,
    isProven: true,
    vanished: missingIds(cut.removed, fitting),
    note: `the index was mended: ${why}`
  }
}

/** An index made anew in the place of one that does not fit, from which some ids have been removed already. */
async function replaced(
  request: CacheRequest,
  old: OpenedIndex,
  { why, removed }: { why: string; removed: Uint8Array[] }
): Promise<FittingIndex> {
  const fresh = await freshIndex(request, why)
  if (fresh.isProven) fresh.vanished = missingIds([...removed, ...old.index.ids()], fresh)
  old.index.close()
  return fresh
}

async function freshIndex({ world, source }: CacheRequest, why: string | undefined): Promise<FittingIndex> {
  const lines = wholeLines(source, detectForm(source))
  const empty: IndexCover = {
    path: source.path,
    form: lines.form,
    nextLine: 1,
    proof: { end: 0, blocks: [] },
    header: headerHash(source),
    nonce: '',
    damaged: [],
    forgotten: '',
    lastTwist: -1
  }
  const index = await createIndex(world.assets)
  try {
    const note = why === undefined ? undefined : `the index was made anew: ${why}`
    return { index, ...takeLines(lines, index, empty), ...NEW, vanished: [], note }
  } catch (error) {
    index.close()
    throw error
  }
}

function headerHash(source: Source): string {
  const head = Buffer.alloc(Math.min(source.facts.size, HEADER_BYTES_MAX))
  const bytes = head.subarray(0, source.read(head, 0))
  const lf = bytes.indexOf(0x0a)
  return sha256(lf < 0 ? bytes : bytes.subarray(0, lf))
}

/** Which of these ids an index neither has nor knows to be forgotten. */
function missingIds(ids: Iterable<Uint8Array>, { index, cover }: OpenedIndex): string[] {
  const forgotten = forgottenIn(cover)
  const missing: string[] = []
  for (const id of ids) {
    const hex = Buffer.from(id).toString('hex')
    if (index.find(id) === undefined && !forgotten.has(hex)) missing.push(`mem_${hex}`)
  }
  return missing
}
