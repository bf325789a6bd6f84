import { Fault } from '../contract/faults.ts'
import { unlessAborted } from '../contract/unless-aborted.ts'
import type { Clock, Log, StartThread, Thread } from '../ports.ts'
import type { ReadOutcome } from './create-document-handlers.ts'
import { createReaderPool } from './create-reader-pool.ts'
import { decodeText } from './formats/decode-text.ts'
import { limitText } from './formats/limit-text.ts'
import {
  type DocumentReaders,
  type DocumentText,
  type DocumentType,
  FILE_BYTES_MAX,
  type Mail,
  type MailOptions,
  type ReaderEnd
} from './port/document-reader.ts'
import { unreadableError } from './port/unreadable-error.ts'

/** How long a file may take. Its reader is ended then, and another one reads the next file. */
const WAIT_MS = 60_000
/** Plain text up to this size is read in this process: that takes less time than handing it over. */
const SMALL_BYTES = 16 * 1024

type DocumentWorld = { startThread: StartThread; clock: Clock; log: Pick<Log, 'error'> }

/**
 * Creates readers of files in child processes whose memory is limited, so that a file that takes too much ends its reader and nothing else.
 * Small plain text is read in this process.
 */
export function createDocumentReaders({ startThread, clock, log }: DocumentWorld): DocumentReaders & {
  /** Ends the processes. Pending calls reject. */
  end(): Promise<void>
} {
  const pool = createReaderPool({ startReader: () => startThread('documents', undefined), clock })
  const ended = { memory: 0, time: 0, called_off: 0, error: 0 }
  return {
    of: (client) => ({
      async readText(bytes, type, signal) {
        if (type === 'text' && bytes.length <= SMALL_BYTES) return limitText(decodeText(bytes, 'plain'))
        return (await read(client, { bytes, type }, signal)) as DocumentText
      },
      readMail: (bytes, signal, options) => read(client, { bytes, options }, signal) as Promise<Mail>
    }),
    state: () => ({ ...pool.state(), ended: { ...ended } }),
    end: () => pool.end()
  }

  async function read(client: string, given: ReadRequest, signal: AbortSignal): Promise<DocumentText | Mail> {
    if (given.bytes.length > FILE_BYTES_MAX) throw unreadableError(`it is larger than ${FILE_BYTES_MAX / 2 ** 20} MiB`)
    const outcome = await pool.run(client, signal, async (reader, spoil) => {
      try {
        return await readInTime(reader, given, signal)
      } catch (error) {
        spoil()
        const { why, thrown } = classifyFailure(error, given, { signal, log })
        ended[why] += 1
        throw thrown
      }
    })
    if ('failed' in outcome) throw unreadableError(outcome.failed)
    return outcome.done
  }

  async function readInTime(reader: Thread, given: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
    const over = new AbortController()
    const bytes = toTransferable(given.bytes)
    const name = given.type === undefined ? 'mail' : 'text'
    try {
      const answer = reader.call(name, { ...given, bytes }, [bytes.buffer])
      return (await unlessAborted(Promise.race([answer, rejectWhenLate(over.signal)]), signal)) as ReadOutcome
    } finally {
      over.abort()
    }
  }

  async function rejectWhenLate(over: AbortSignal): Promise<never> {
    await clock.wait(WAIT_MS, over)
    throw new ReadTimeout()
  }
}

type ReadRequest = { bytes: Uint8Array; type?: DocumentType; options?: MailOptions | undefined }

class ReadTimeout extends Error {}

/** Returns why a read failed. A reader that fails or is ended affects this file only. */
function classifyFailure(
  error: unknown,
  { type }: ReadRequest,
  { signal, log }: { signal: AbortSignal; log: Pick<Log, 'error'> }
): { why: ReaderEnd; thrown: unknown } {
  if (signal.aborted) return { why: 'called_off', thrown: signal.reason }
  if (error instanceof ReadTimeout)
    return { why: 'time', thrown: unreadableError(`reading it takes longer than ${WAIT_MS / 1000} seconds`) }
  if (error instanceof Fault && error.code === 'system_refused') return { why: 'error', thrown: error }
  // The reader process ended unexpectedly, which a file can cause only through its memory use.
  if (error instanceof Fault && error.code === 'unavailable')
    return { why: 'memory', thrown: unreadableError('reading it takes too much memory', error) }
  log.error({ type: type ?? 'mail', err: error }, 'a document could not be read because of an internal error')
  return { why: 'error', thrown: unreadableError('reading it failed because of an internal error: see the log', error) }
}

/** Returns bytes whose memory can be transferred: a copy, if their buffer contains other bytes too. */
function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
