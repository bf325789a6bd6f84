import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Device } from '../device/device.ts'
import type { DocumentReader } from '../documents/port/document-reader.ts'
import { formatTime } from '../memory/parse-iso-time.ts'
import type { Clock } from '../ports.ts'
import type { AccountReport } from './account-report.ts'
import { type KnownFiles, openKnownFiles } from './known-files.ts'
import { type ConvertOptions, type OpenInput, openInput } from './open-input.ts'
import type { TreeFile } from './port/file-tree.ts'
import type { IngestLine } from './port/format.ts'
import type { ItemKind } from './port/losses.ts'
import { createReconciler, type GoneMemories, type Reconciler } from './reconciler.ts'
import type { SpoolWorld } from './tree/byte-source.ts'
import type { TreeInput } from './tree/open-tree.ts'

export type IngestWorld = SpoolWorld & { clock: Clock; documents: DocumentReader }

export type IngestOptions = ConvertOptions & {
  /** Reports what would be stored without storing anything. */
  dryRun?: boolean | undefined
  /** Forgets memories whose text the source no longer has. */
  prune?: boolean | undefined
  /** Prunes even if it would forget a large part of the source. */
  pruneMany?: boolean | undefined
  /** Chooses which of the memories that are gone are forgotten; all by default. */
  chooseGone?: ((ids: readonly string[]) => readonly string[]) | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IngestProgress) => void) | undefined
  /** Called for every new memory, before it is on the disk. */
  onRecord?: ((record: MemoryRecord) => void) | undefined
}

/** `bytes_read` and `bytes_total` count the content of the files; unpacked, for an archive. */
export type IngestProgress = {
  items: number
  lines: number
  stored: number
  bytes_read: number
  bytes_total: number
  seconds: number
}

/** `name` is that of the folder, file or archive. What was found in it, and what was left out. The numbers of items add up: `seen = taken + merged + left_out`. */
export type ConversionReport = { format: string; name: string } & AccountReport & { lines: number; seconds: number }

/** The result of an import. `stored`, `known`, `differed` and `forgotten` are those of the lines, as in a batch. */
export type IngestReport = ConversionReport & {
  stored: number
  known: number
  differed: number
  forgotten: number
  /** Earlier memories that an edited text replaces. */
  superseded: number
  /** Files that were recognised at another path. */
  renamed: number
  /** Memories whose text the source no longer has, and those of them that were forgotten with `prune`. */
  gone: number
  pruned: number
  notes: string[]
}

/**
 * Converts an input and stores its lines. Each append is on the disk before it is counted; after an interruption, the same
 * call continues, because memories that exist are recognised by their id.
 */
export async function ingestInto(
  { world, device }: { world: IngestWorld; device: Device },
  input: TreeInput,
  options: IngestOptions = {}
): Promise<IngestReport> {
  const { open, ...conversion } = await openConversion(world, input, options)
  try {
    const { edits } = open.format
    const knownFiles = edits === 'items' ? findKnownFiles(world, input, { open, options }) : undefined
    const now = formatTime(world.clock.now()) ?? ''
    const reconciler = edits !== 'none' ? createReconciler(device, open, { now, known: knownFiles }) : undefined
    const chunks = await skipToFirstLine(conversion.chunks(reconciler, knownFiles), () =>
      options.onProgress?.(conversion.progress(0))
    )
    const { stored, known, differed, forgotten, notes } =
      chunks === undefined
        ? NOTHING_NEW
        : await device.storeBatch(
            { stream: chunks },
            {
              ...(options.signal && { signal: options.signal }),
              ...(options.onRecord && { onRecord: options.onRecord }),
              dryRun: options.dryRun === true,
              onProgress: (progress) => options.onProgress?.(conversion.progress(progress.stored))
            }
          )
    knownFiles?.save(open.files, open.cut)
    const { unchanged, superseded, renamed } = reconciler?.counts ?? { unchanged: 0, superseded: 0, renamed: 0 }
    const gone = reconciler?.listGone() ?? { ids: [], gone: 0, known: 0 }
    const pruned = options.prune ? await pruneGone(device, gone, options) : 0
    const counts = { stored, known: known + unchanged, differed, forgotten, superseded, renamed }
    return { ...conversion.report(), ...counts, gone: gone.ids.length, pruned, notes }
  } finally {
    conversion.close()
  }
}

/** Opens what is known about the files of a folder. An import that depends on more than their content does without. */
function findKnownFiles(
  world: IngestWorld,
  input: TreeInput,
  { open, options }: { open: OpenInput; options: IngestOptions }
): KnownFiles | undefined {
  if (!('path' in input) || open.kind !== 'folder' || options.since !== undefined || options.dryRun) return undefined
  const { me, zone, map } = options
  return openKnownFiles(world, world.files.realPath(input.path), [open.format.id, me, zone, map])
}

/** The result of a batch without lines: extraction is not loaded for an import that has nothing new. */
const NOTHING_NEW = { stored: 0, known: 0, differed: 0, forgotten: 0, notes: [] }

/** Returns the chunks from the first one with lines on; undefined if there is none. */
async function skipToFirstLine(
  chunks: AsyncGenerator<string>,
  onSkip: () => void
): Promise<AsyncGenerator<string> | undefined> {
  for (;;) {
    const next = await chunks.next()
    if (next.done) return undefined
    if (next.value !== '') return prepend(next.value, chunks)
    onSkip()
  }
}

async function* prepend(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Above this share of the files of a source, and this number, pruning needs a confirmation. */
const PRUNED = { SHARE_MAX: 0.3, FREE: 3 } as const

/** Forgets memories that are gone, and returns how many. @throws Fault `conflict` if a large part of the source is gone. */
async function pruneGone(
  device: Device,
  { ids, gone, known }: GoneMemories,
  { dryRun, pruneMany, chooseGone, signal }: IngestOptions
): Promise<number> {
  if (gone > PRUNED.FREE && gone > known * PRUNED.SHARE_MAX && pruneMany !== true) {
    throw new Fault('conflict', `${gone} of ${known} files of the source are gone, so nothing was forgotten`, {
      hint: 'check the path, and add --yes if the files were deleted on purpose'
    })
  }
  const chosen = [...(chooseGone?.(ids) ?? ids)]
  if (dryRun || chosen.length === 0) return 0
  const { forgotten } = await device.forget(chosen, { reason: 'deleted in its source', ...(signal && { signal }) })
  return forgotten.length
}

/** An input that is being converted to the lines of a batch. */
export type Conversion = {
  open: OpenInput
  /** Yields JSON Lines, several at a time, without those that the snapshot of the reconciler has. Can be read once. */
  chunks(reconciler?: Reconciler, known?: KnownFiles): AsyncGenerator<string>
  progress(stored: number): IngestProgress
  /** Complete after the last chunk. */
  report(): ConversionReport
  close(): void
}

/** Opens an input for conversion. @throws Fault as `openInput`. */
export async function openConversion(
  world: IngestWorld,
  input: TreeInput,
  options: IngestOptions
): Promise<Conversion> {
  const { documents, clock } = world
  const signal = options.signal ?? new AbortController().signal
  const startTicks = clock.ticks()
  const open = await openInput(world, input, { ...options, documents, signal })
  const counts = { items: 0, lines: 0 }
  const measureSeconds = (): number => (clock.ticks() - startTicks) / 1000
  return {
    open,
    async *chunks(reconciler, known) {
      try {
        yield* toChunks({ open, counts, clock, reconciler, known })
      } catch (error) {
        if (signal.aborted) throw new Fault('cancelled', STOPPED)
        throw error
      }
    },
    progress(stored) {
      const { bytesRead, bytesTotal } = open.progress()
      return { ...counts, stored, bytes_read: bytesRead, bytes_total: bytesTotal, seconds: measureSeconds() }
    },
    report: () => ({
      format: open.format.id,
      name: open.name,
      ...open.account(),
      lines: counts.lines,
      seconds: measureSeconds()
    }),
    close: () => open.close()
  }
}

const STOPPED = 'stopped; run the same command again to continue'

/** Each chunk is one append to the snapshot, so it ends at a certain length or after a certain time, in milliseconds. */
const CHUNK = { UNITS: 256 * 1024, MS: 500 } as const

type Chunking = {
  open: OpenInput
  counts: { items: number; lines: number }
  clock: Clock
  reconciler: Reconciler | undefined
  known: KnownFiles | undefined
}

async function* toChunks({ open, counts, clock, reconciler, known }: Chunking): AsyncGenerator<string> {
  let chunk = ''
  let sinceTicks = clock.ticks()
  const findKind = (file: TreeFile): ItemKind | undefined => {
    const one = known?.find(file)
    if (one === undefined || !reconciler?.keep(one)) return undefined
    counts.items += 1
    counts.lines += one.lines
    return one.kind
  }
  for await (const item of open.items(findKind)) {
    counts.items += 1
    counts.lines += item.lines.length
    const { fresh, conversation } = reconciler?.resolve(item) ?? { fresh: item.lines }
    if (conversation !== undefined) known?.note(item, conversation)
    for (const line of fresh) chunk += serializeLine(line)
    if (chunk.length < CHUNK.UNITS && clock.ticks() - sinceTicks < CHUNK.MS) continue
    yield chunk
    chunk = ''
    sinceTicks = clock.ticks()
  }
  yield chunk
}

/** A lone surrogate, which UTF-8 cannot represent, is replaced. */
function serializeLine(line: IngestLine): string {
  const text = JSON.stringify(line)
  if (!/\\ud[89a-f]/i.test(text)) return `${text}\n`
  return `${JSON.stringify(line, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))}\n`
}
