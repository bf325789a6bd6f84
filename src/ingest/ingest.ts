import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Device } from '../device/device.ts'
import type { DocumentReader } from '../documents/port/document-reader.ts'
import type { Clock } from '../ports.ts'
import type { AccountReport } from './account.ts'
import { type ConvertOptions, type OpenInput, openInput } from './convert-input.ts'
import type { IngestLine } from './port/format.ts'
import type { SpoolWorld } from './tree/byte-source.ts'
import type { TreeInput } from './tree/open-tree.ts'

export type IngestWorld = SpoolWorld & { clock: Clock; documents: DocumentReader }

export type IngestOptions = ConvertOptions & {
  /** Reports what would be stored without storing anything. */
  dryRun?: boolean | undefined
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
  const conversion = await openConversion(world, input, options)
  try {
    const { stored, known, differed, forgotten, notes } = await device.storeBatch(
      { stream: conversion.chunks() },
      {
        ...(options.signal && { signal: options.signal }),
        ...(options.onRecord && { onRecord: options.onRecord }),
        dryRun: options.dryRun === true,
        onProgress: (progress) => options.onProgress?.(conversion.progress(progress.stored))
      }
    )
    return { ...conversion.report(), stored, known, differed, forgotten, notes }
  } finally {
    conversion.close()
  }
}

/** An input that is being converted to the lines of a batch. */
export type Conversion = {
  /** Yields JSON Lines, several at a time. Can be read once. */
  chunks(): AsyncGenerator<string>
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
    chunks: () => toChunks(open, counts, clock),
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

/** Each chunk is one append to the snapshot, so it ends at a certain length or after a certain time, in milliseconds. */
const CHUNK = { UNITS: 256 * 1024, MS: 500 } as const

async function* toChunks(
  open: OpenInput,
  counts: { items: number; lines: number },
  clock: Clock
): AsyncGenerator<string> {
  let chunk = ''
  let sinceTicks = clock.ticks()
  for await (const { lines } of open.items()) {
    counts.items += 1
    counts.lines += lines.length
    for (const line of lines) chunk += serializeLine(line)
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
