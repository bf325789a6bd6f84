import type { SearchIndex } from '../search/index/search-index.ts'
import { createIndex, openIndex } from '../search/index/search-index.ts'
import { UnusableIndex } from '../search/index/unusable-index.ts'
import { type BlockProof, hashingSource, provenBlocks } from '../snapshot/block-proof.ts'
import { sha256 } from '../snapshot/check.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX } from '../snapshot/limits.ts'
import { walkLines } from '../snapshot/lines.ts'
import { formOf, readSnapshot } from '../snapshot/read-snapshot.ts'
import type { Source } from '../snapshot/source.ts'
import type { DeviceWorld } from './device-world.ts'
import { type IndexCover, readCover, writeCover } from './index-cover.ts'
import type { IndexFiles } from './index-files.ts'
import { createLineTaker } from './index-lines.ts'
import { isStamped } from './stamp.ts'

/** An index that fits the file as it was when it was opened. */
export type FittingIndex = {
  index: SearchIndex
  cover: IndexCover
  /** The index differs from what the cache holds. */
  changed: boolean
  /** Ids that the index had seen and that are neither in the file nor forgotten now. */
  vanished: string[]
  /** Why the cached index was not used; undefined where it was, or there was none. */
  rebuilt: string | undefined
}

export type FitRequest = {
  world: DeviceWorld
  source: Source
  files: IndexFiles
  /** The index as it is held in memory since an earlier search. */
  held?: { index: SearchIndex; cover: IndexCover } | undefined
}

/**
 * The index of a snapshot file, brought up to date: the cached one where its prefix is proven, by stamp or by blocks, with
 * the file's new lines taken in; else one made anew. An index is a cache: nothing about it is ever an error.
 */
export async function fitIndex(request: FitRequest): Promise<FittingIndex> {
  const { source } = request
  const form = formOf(source)
  const { opened, rebuilt } = await openCached(request)
  if (opened === undefined) return { ...(await buildAnew(request, form)), vanished: [], rebuilt }
  const { index, cover } = opened
  const misfit =
    form === cover.form ? misfitOf(request, cover) : { why: 'the file is in the other form now', proven: 0 }
  if (misfit === undefined) {
    if (source.facts.size === cover.proof.end) return { index, cover, changed: false, vanished: [], rebuilt: undefined }
    const caughtUp = catchUp(source, index, cover)
    if (caughtUp !== undefined) return { index, ...caughtUp, vanished: [], rebuilt: undefined }
  }
  const cut = misfit === undefined ? undefined : cutBack(source, { index, cover, blocks: misfit.proven })
  const caughtUp = cut && catchUp(source, index, cut.cover)
  if (cut !== undefined && caughtUp !== undefined) {
    const vanished = missingIds(cut.removed, { index, cover: caughtUp.cover })
    return { index, cover: caughtUp.cover, changed: true, vanished, rebuilt: misfit?.why }
  }
  const fresh = await buildAnew(request, form)
  const vanished = missingIds([...(cut?.removed ?? []), ...index.ids()], fresh)
  index.close()
  return { ...fresh, vanished, rebuilt: misfit?.why ?? 'the file changed while it was read' }
}

type Opened = { index: SearchIndex; cover: IndexCover }

async function openCached({
  world,
  source,
  files,
  held
}: FitRequest): Promise<{ opened?: Opened; rebuilt: string | undefined }> {
  if (held !== undefined) return { opened: held, rebuilt: undefined }
  const bytes = files.load()
  if (bytes === undefined) return { rebuilt: undefined }
  try {
    const index = await openIndex(world.assets, bytes)
    const cover = readCover(index)
    if (cover?.path === source.path) return { opened: { index, cover }, rebuilt: undefined }
    index.close()
    return { rebuilt: 'the cached index is of another file' }
  } catch (error) {
    if (error instanceof UnusableIndex) return { rebuilt: error.message }
    throw error
  }
}

/** Why the file does not begin with what the index covers, and how many blocks of it still stand. */
type Misfit = { why: string; proven: number }

/** Undefined where the whole prefix is proven. */
function misfitOf({ source, files }: FitRequest, { proof, nonce, header, form }: IndexCover): Misfit | undefined {
  const { size } = source.facts
  if (size >= proof.end && isStamped(files.stamp(), nonce, source.facts)) return undefined
  if (form === 'json' && size !== proof.end) return { why: 'the file was rewritten', proven: 0 }
  if (headerHash(source) !== header) return { why: 'the header is another', proven: 0 }
  const proven = provenBlocks(source, proof)
  if (proven === proof.blocks.length) return undefined
  const why =
    size < proof.end ? 'the file is shorter than it was' : `the file differs from byte ${proven * BLOCK_BYTES} on`
  return { why, proven: form === 'json' ? 0 : proven }
}

type Cut = { index: SearchIndex; cover: IndexCover; blocks: number }

/**
 * Takes out of the index what does not stand in the proven blocks: all from the line on that holds the end of the last of
 * them. Undefined where that is not enough, since a line after it had a say in what stands before.
 */
function cutBack(
  source: Source,
  { index, cover, blocks }: Cut
): { cover: IndexCover; removed: Uint8Array[] } | undefined {
  if (blocks === 0) return undefined
  const lines = linesBefore(source, blocks * BLOCK_BYTES)
  if (lines.end <= 0 || cover.lastTwist >= lines.end) return undefined
  const removed: Uint8Array[] = []
  for (const id of index.ids()) if ((index.find(id)?.offset ?? 0) >= lines.end) removed.push(Uint8Array.from(id))
  for (const id of removed) index.remove(id)
  const damaged = cover.damaged.filter(({ offset }) => offset < lines.end)
  return { cover: { ...cover, proof: lines.proof, damaged, nextLine: lines.count + 1 }, removed }
}

/** Counts the lines that end before byte `limit`, and hashes up to the end of the last of them. */
function linesBefore(source: Source, limit: number): { count: number; end: number; proof: BlockProof } {
  const hashing = hashingSource({ ...source, facts: { ...source.facts, size: limit } })
  let count = 0
  let end = 0
  walkLines(hashing.source, { offset: 0, number: 1 }, (line) => {
    if (!line.terminated) return false
    count++
    end = line.offset + line.length
    return true
  })
  return { count, end, proof: hashing.proofTo(end) ?? { end: 0, blocks: [] } }
}

function headerHash(source: Source): string {
  const head = Buffer.alloc(Math.min(source.facts.size, HEADER_BYTES_MAX))
  const bytes = head.subarray(0, source.read(head, 0))
  const lf = bytes.indexOf(0x0a)
  return sha256(lf < 0 ? bytes : bytes.subarray(0, lf))
}

async function buildAnew(
  { world, source }: FitRequest,
  form: IndexCover['form']
): Promise<Opened & { changed: boolean }> {
  const index = await createIndex(world.assets)
  const empty: IndexCover = {
    path: source.path,
    form,
    nextLine: 1,
    proof: { end: 0, blocks: [] },
    header: headerHash(source),
    nonce: '',
    damaged: [],
    forgotten: '',
    lastTwist: -1
  }
  const built = takeLines(source, index, empty)
  return { index, cover: built.cover, changed: built.isProven }
}

/** Takes the file's new lines in. Undefined where what was covered is not what stands there after all. */
function catchUp(
  source: Source,
  index: SearchIndex,
  cover: IndexCover
): { cover: IndexCover; changed: boolean } | undefined {
  const taken = takeLines(source, index, cover)
  if (!taken.isProven) return undefined
  return { cover: taken.cover, changed: taken.cover.proof.end !== cover.proof.end }
}

/** Reads the lines after what is covered. A sound line at the end that lacks its LF is taken in, but not covered. */
function takeLines(source: Source, index: SearchIndex, cover: IndexCover): { cover: IndexCover; isProven: boolean } {
  const hashing = hashingSource(source, cover.proof)
  const taker = createLineTaker(index, cover)
  const from = { form: cover.form, offset: cover.proof.end, number: cover.nextLine }
  const reading = readSnapshot(hashing.source, taker.take, from)
  const proof = hashing.proofTo(reading.end)
  const tailLine = reading.tail === undefined ? 0 : 1
  const next: IndexCover = {
    ...cover,
    nextLine: cover.nextLine + reading.lines - tailLine,
    damaged: [...cover.damaged, ...reading.damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))],
    forgotten: [...taker.forgotten].join(''),
    lastTwist: taker.lastTwist,
    proof: proof ?? cover.proof
  }
  return { cover: next, isProven: proof !== undefined }
}

/** Which of these ids an index neither has nor knows to be forgotten. */
function missingIds(ids: Iterable<Uint8Array>, { index, cover }: Opened): string[] {
  const forgotten = new Set(cover.forgotten.match(/.{32}/g) ?? [])
  const missing: string[] = []
  for (const id of ids) {
    const hex = Buffer.from(id).toString('hex')
    if (index.find(id) === undefined && !forgotten.has(hex)) missing.push(`mem_${hex}`)
  }
  return missing
}

/** Gives the state of an index a name, before it is saved. */
export function nameCover({ ids }: DeviceWorld, index: SearchIndex, cover: IndexCover): IndexCover {
  const named = { ...cover, nonce: ids.randomHex(8) }
  writeCover(index, named)
  return named
}
