import { copyFile, stat, truncate } from 'node:fs/promises'
import type { Clock, Log } from '../../src/ports.ts'
import { textWithoutSecrets, withoutSecrets } from './without-secrets.ts'

export type LogLevel = 'error' | 'info' | 'debug' | 'silent'

/** `to` is where lines go: a descriptor, or the path of a file, which is made for its owner alone. */
export type LogOptions = { level: LogLevel; to: number | string }

export type OpenLog = { log: Log; close(): void }

/** How many bytes may wait for a reader that is slow. What comes then is dropped: a log must not stop a server. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024

/** A busy server writes its lines so many bytes at a time, and none waits longer than so many milliseconds. */
const TOGETHER_BYTES = 4096
const TOGETHER_MS = 200

/**
 * A log of JSON lines by pino, which is loaded here. Lines are written beside the work, in order; `close` writes those
 * that wait.
 */
export async function openLog({ level, to }: LogOptions): Promise<OpenLog> {
  const { default: pino } = await import('pino')
  const target = pino.destination({
    dest: to,
    mode: 0o600,
    append: true,
    sync: false,
    minLength: TOGETHER_BYTES,
    periodicFlush: TOGETHER_MS,
    maxLength: WAITING_BYTES_MAX
  })
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      // Our own function shows errors as well, since secrets may stand in them.
      serializers: { err: (value: unknown) => value }
    },
    target
  )
  await new Promise((resolve, reject) => target.once('ready', resolve).once('error', reject))
  // A log that can no longer be written is no reason to stop.
  target.on('error', () => undefined)
  return {
    log: {
      error: (fields, message) => logger.error(fields, textWithoutSecrets(message)),
      info: (fields, message) => logger.info(fields, textWithoutSecrets(message)),
      debug: (fields, message) => logger.debug(fields, textWithoutSecrets(message))
    },
    close: () => target.flushSync()
  }
}

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
