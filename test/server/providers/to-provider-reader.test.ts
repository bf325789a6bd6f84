import { expect, test } from 'vitest'
import { toProviderReader } from '../../../server/providers/port/to-provider-reader.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { DocumentReader } from '../../../src/documents/port/document-reader.ts'
import { unreadableError } from '../../../src/documents/port/unreadable-error.ts'

const SIGNAL = new AbortController().signal
const BYTES = new Uint8Array(1)

function rejectWith(error: unknown): DocumentReader {
  const reject = async () => {
    throw error
  }
  return toProviderReader({ readText: reject, readMail: reject })
}

test('fails an item whose file cannot be read permanently', async () => {
  const reader = rejectWith(unreadableError('it is encrypted'))
  const failure = { name: 'ProviderFailure', kind: 'item_permanent', message: 'it is encrypted' }
  await expect(reader.readText(BYTES, 'pdf', SIGNAL)).rejects.toMatchObject(failure)
  await expect(reader.readMail(BYTES, SIGNAL)).rejects.toMatchObject(failure)
})

test('fails temporarily if the reader cannot start', async () => {
  const reader = rejectWith(new Fault('system_refused', 'a child process could not be started'))
  await expect(reader.readText(BYTES, 'pdf', SIGNAL)).rejects.toMatchObject({ kind: 'transient' })
})

test('rethrows any other error unchanged', async () => {
  const reason = new Error('off')
  await expect(rejectWith(reason).readMail(BYTES, SIGNAL)).rejects.toBe(reason)
})
