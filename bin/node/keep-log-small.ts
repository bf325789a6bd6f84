import { copyFile, stat, truncate } from 'node:fs/promises'
import type { Clock } from '../../src/ports.ts'

/** In bytes: a log that is longer is moved to `NAME.1`, in place of the one before. */
const LOG_BYTES_MAX = 64 << 20

const LOOK_MS = 60_000

/**
 * Keeps the log of a server that runs for long within bounds, until the signal. The file stays the one that our stderr leads
 * to, so it is copied and emptied; lines that are written in between are lost.
 */
export async function keepLogSmall(
  path: string,
  { clock, signal, bytesMax = LOG_BYTES_MAX }: { clock: Clock; signal: AbortSignal; bytesMax?: number }
): Promise<void> {
  while (!signal.aborted) {
    const facts = await stat(path).catch(() => undefined)
    if (facts !== undefined && facts.size > bytesMax) {
      // A log that cannot be moved is no reason to stop.
      await copyFile(path, `${path}.1`)
        .then(() => truncate(path))
        .catch(() => undefined)
    }
    await clock.wait(LOOK_MS, signal).catch(() => undefined)
  }
}
