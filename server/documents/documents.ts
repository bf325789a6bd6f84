import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Log, StartThread, Thread } from '../../src/ports.ts'
import type { DocumentReaders, DocumentText, DocumentType, Mail, ReaderEnd } from '../providers/documents.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import type { Outcome } from './document-handlers.ts'
import { createReaderPool } from './reader-pool.ts'
import { cutText } from './text/cut-text.ts'
import { decodeText } from './text/decode-text.ts'
import { unreadable } from './unreadable.ts'

/** The largest file that is taken. */
const BYTES_MAX = 50 * 1024 * 1024
/** How long a file may take. Its reader is ended then, and the next file gets a new one. */
const WAIT_MS = 60_000
/** Plain text that is no larger is read at once: that takes less than handing it over. */
const SMALL_BYTES = 16 * 1024

type DocumentWorld = { startThread: StartThread; clock: Clock; log: Pick<Log, 'error'> }

/**
 * Reads files in child processes whose memory is limited, so that a file that takes too much of it ends the reader and nothing else; small
 * plain text here.
 */
export function createDocuments({ startThread, clock, log }: DocumentWorld): DocumentReaders & {
  /** Ends the processes. Calls under way reject. */
  end(): Promise<void>
} {
  const pool = createReaderPool({ startReader: () => startThread('documents', undefined), clock })
  const ended = { memory: 0, time: 0, called_off: 0, error: 0 }
  return {
    of: (connectionId) => ({
      async textOf(bytes, type, signal) {
        if (type === 'text' && bytes.length <= SMALL_BYTES) return cutText(decodeText(bytes, 'plain'))
        return (await read(connectionId, { bytes, type }, signal)) as DocumentText
      },
      mailOf: (bytes, signal) => read(connectionId, { bytes }, signal) as Promise<Mail>
    }),
    state: () => ({ ...pool.state(), ended: { ...ended } }),
    end: () => pool.end()
  }

  async function read(connectionId: string, given: Given, signal: AbortSignal): Promise<DocumentText | Mail> {
    if (given.bytes.length > BYTES_MAX) throw unreadable(`it is larger than ${BYTES_MAX / 2 ** 20} MiB`)
    const outcome = await pool.run(connectionId, signal, async (reader, spoil) => {
      try {
        return await inTime(reader, given, signal)
      } catch (error) {
        spoil()
        const { why, thrown } = judged(error, given, signal)
        ended[why] += 1
        throw thrown
      }
    })
    if ('failed' in outcome) throw unreadable(outcome.failed)
    return outcome.done
  }

  async function inTime(reader: Thread, given: Given, signal: AbortSignal): Promise<Outcome> {
    const over = new AbortController()
    const bytes = ownBytes(given.bytes)
    const name = given.type === undefined ? 'mail' : 'text'
    try {
      const answer = reader.call(name, { ...given, bytes }, [bytes.buffer])
      return (await Promise.race([answer, late(over.signal), calledOff(signal, over.signal)])) as Outcome
    } finally {
      over.abort()
    }
  }

  async function late(over: AbortSignal): Promise<never> {
    await clock.wait(WAIT_MS, over)
    throw new TooLate()
  }

  /** Whatever a file does to its reader is a failure of this file alone. */
  function judged(error: unknown, { type }: Given, signal: AbortSignal): { why: ReaderEnd; thrown: unknown } {
    if (signal.aborted) return { why: 'called_off', thrown: signal.reason }
    if (error instanceof TooLate)
      return { why: 'time', thrown: unreadable(`reading it takes longer than ${WAIT_MS / 1000} seconds`) }
    if (error instanceof Fault && error.code === 'system_refused')
      return { why: 'error', thrown: new ProviderFailure('transient', error.message, { cause: error }) }
    // The reader broke down, which a file can do only with its memory.
    if (error instanceof Fault && error.code === 'unavailable')
      return { why: 'memory', thrown: unreadable('reading it takes too much memory', error) }
    log.error({ type: type ?? 'mail', err: error }, 'a document could not be read because of an error of ours')
    return { why: 'error', thrown: unreadable('the server failed at reading it: its log says more', error) }
  }
}

type Given = { bytes: Uint8Array; type?: DocumentType }

class TooLate extends Error {}

function calledOff(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over })
  })
}

/** Memory that holds these bytes and nothing else can be moved; other memory is somebody's, too. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
