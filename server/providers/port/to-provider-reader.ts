import { Fault } from '../../../src/contract/faults.ts'
import type { DocumentReader } from '../../../src/documents/port/document-reader.ts'
import { UnreadableError } from '../../../src/documents/port/unreadable-error.ts'
import { ProviderFailure } from './provider-failure.ts'

/**
 * Wraps a reader so that it rejects with provider failures: permanent for an unreadable file, temporary if the reader
 * cannot start.
 */
export function toProviderReader({ readText, readMail }: DocumentReader): DocumentReader {
  return {
    readText: (...given) => readText(...given).catch(throwFailure),
    readMail: (...given) => readMail(...given).catch(throwFailure)
  }
}

function throwFailure(error: unknown): never {
  if (error instanceof UnreadableError) throw new ProviderFailure('item_permanent', error.message, { cause: error })
  if (error instanceof Fault && error.code === 'system_refused')
    throw new ProviderFailure('transient', error.message, { cause: error })
  throw error
}
