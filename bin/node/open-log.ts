import { copyFile, stat, truncate } from 'node:fs/promises'
import type { Clock, Log } from '../../src/ports.ts'
import { textWithoutSecrets, withoutSecrets } from './without-secrets.ts'

export type LogLevel = 'error' | 'info' | 'debug' | 'silent'

/** `to` is a descriptor, or the path of a file, which is created for its owner alone. */
export type LogOptions = { level: LogLevel; to: number | string }

export type OpenLog = { log: Log; close(): void }

/** Maximum bytes that wait for a slow reader. Further lines are dropped, because a log must not block a server. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024

/** Bytes after which buffered lines are written, and the maximum wait of a line in milliseconds. */
const TOGETHER_BYTES = 4096
const TOGETHER_MS = 200

/**
 * Opens a log of JSON lines with pino, which is loaded here. Lines are written asynchronously, in order; `close` writes
 * the waiting ones.
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
      // Our own function formats errors too, because they may contain secrets.
      serializers: { err: (value: unknown) => value }
    },
    target
  )
  await new Promise((resolve, reject) => target.once('ready', resolve).once('error', reject))
  // A log that can no longer be written must not stop the server.
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

/** Bytes after which a log is moved to `NAME.1`, which it replaces. */
const LOG_BYTES_MAX = 64 << 20

const LOOK_MS = 60_000

/**
 * Limits the size of a server's log until the signal is aborted. Stderr stays open on the same file, so it is copied
 * and emptied. Lines written in between are lost.
 */
export async function keepLogSmall(
  path: string,
  { clock, signal, bytesMax = LOG_BYTES_MAX }: { clock: Clock; signal: AbortSignal; bytesMax?: number }
): Promise<void> {
  while (!signal.aborted) {
    const facts = await stat(path).catch(() => undefined)
    if (facts !== undefined && facts.size > bytesMax) {
      // A log that cannot be moved must not stop the server.
      await copyFile(path, `${path}.1`)
        .then(() => truncate(path))
        .catch(() => undefined)
    }
    await clock.wait(LOOK_MS, signal).catch(() => undefined)
  }
}
