import type { Device } from '../device/device.ts'
import { type IngestOptions, type IngestProgress, type IngestReport, type IngestWorld, ingestInto } from './ingest.ts'
import type { TreeInput } from './tree/open-tree.ts'

/** A step of an import: progress at any time, and the report at the end. */
export type IngestEvent = ({ event: 'progress' } & IngestProgress) | ({ event: 'done' } & IngestReport)

/**
 * Imports an input as an iterator of its progress, which ends with the report. A slow reader gets the latest progress
 * only. If the reader stops early, the import stops too; what is stored stays.
 */
export async function* ingestEvents(
  parts: { world: IngestWorld; device: Device },
  input: TreeInput,
  options: IngestOptions = {}
): AsyncGenerator<IngestEvent> {
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  let latest: IngestProgress | undefined
  let report: IngestReport | undefined
  let wake = (): void => undefined
  const onProgress = (progress: IngestProgress): void => {
    latest = progress
    options.onProgress?.(progress)
    wake()
  }
  const work = ingestInto(parts, input, { ...options, signal, onProgress }).then((done) => {
    report = done
  })
  try {
    while (report === undefined) {
      const progressed = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (latest === undefined) await Promise.race([work, progressed])
      if (latest !== undefined) yield { event: 'progress', ...latest }
      latest = undefined
    }
    yield { event: 'done', ...report }
  } finally {
    stop.abort()
    await work.catch(() => undefined)
  }
}
