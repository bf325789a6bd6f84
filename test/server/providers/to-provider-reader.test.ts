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

test('a file that cannot be read is a failure of the item', async () => {
  const reader = rejectWith(unreadableError('it is encrypted'))
  const failure = { name: 'ProviderFailure', kind: 'item_permanent', message: 'it is encrypted' }
  await expect(reader.readText(BYTES, 'pdf', SIGNAL)).rejects.toMatchObject(failure)
  await expect(reader.readMail(BYTES, SIGNAL)).rejects.toMatchObject(failure)
})

test('a reader that cannot be started is a failure that passes', async () => {
  const reader = rejectWith(new Fault('system_refused', 'a child process could not be started'))
  await expect(reader.readText(BYTES, 'pdf', SIGNAL)).rejects.toMatchObject({ kind: 'transient' })
})

test('every other error stays what it is', async () => {
  const reason = new Error('off')
  await expect(rejectWith(reason).readMail(BYTES, SIGNAL)).rejects.toBe(reason)
})
