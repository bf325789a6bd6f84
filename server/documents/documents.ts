import { Fault } from '../../src/contract/faults.ts'
import type { Clock, StartThread, Thread } from '../../src/ports.ts'
import type { Documents, DocumentText, DocumentType, Mail } from '../providers/documents.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import type { Outcome } from './document-handlers.ts'
import { cutText } from './text/cut-text.ts'
import { decodeText } from './text/decode-text.ts'
import { createTurns } from './turns.ts'
import { unreadable } from './unreadable.ts'

/** The largest file that is taken. */
const BYTES_MAX = 50 * 1024 * 1024
/** How long a file may take. The thread is ended then, and the next file gets a new one. */
const WAIT_MS = 60_000
/** Plain text that is no larger is read at once: that takes less than handing it over. */
const SMALL_BYTES = 16 * 1024

/** Reads files in one thread, one after the other, so that at most one of them takes memory; small plain ones here. */
export function createDocuments({ startThread, clock }: { startThread: StartThread; clock: Clock }): Documents & {
  /** Ends the thread. Calls under way reject. */
  end(): Promise<void>
} {
  const turns = createTurns()
  let thread: Thread | undefined
  return {
    async textOf(bytes, type, signal) {
      if (type === 'text' && bytes.length <= SMALL_BYTES) return cutText(decodeText(bytes, 'plain'))
      return (await turns.take(signal, () => job('text', { bytes, type }, signal))) as DocumentText
    },
    mailOf: (bytes, signal) => turns.take(signal, () => job('mail', { bytes }, signal)) as Promise<Mail>,
    end: async () => endThread()
  }

  async function job(name: string, given: Given, signal: AbortSignal): Promise<unknown> {
    if (given.bytes.length > BYTES_MAX) throw unreadable(`it is larger than ${BYTES_MAX / 2 ** 20} MiB`)
    thread ??= startThread('documents', undefined)
    const over = new AbortController()
    try {
      const bytes = ownBytes(given.bytes)
      const answer = thread.call(name, { ...given, bytes }, [bytes.buffer])
      const outcome = (await Promise.race([answer, late(over.signal), calledOff(signal, over.signal)])) as Outcome
      if ('failed' in outcome) throw unreadable(outcome.failed)
      return outcome.done
    } catch (error) {
      if (error instanceof ProviderFailure && !LATE.has(error)) throw error
      await endThread()
      // The thread broke down, which a file can do only with its memory.
      if (error instanceof Fault && error.code === 'unavailable')
        throw unreadable('reading it takes too much memory', error)
      throw error
    } finally {
      over.abort()
    }
  }

  async function late(over: AbortSignal): Promise<never> {
    await clock.wait(WAIT_MS, over)
    const failure = unreadable(`reading it takes longer than ${WAIT_MS / 1000} seconds`)
    LATE.add(failure)
    throw failure
  }

  async function endThread(): Promise<void> {
    const old = thread
    thread = undefined
    await old?.end()
  }
}

type Given = { bytes: Uint8Array; type?: DocumentType }

/** Failures after which the thread still works on the file. */
const LATE = new WeakSet<ProviderFailure>()

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
