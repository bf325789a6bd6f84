import { expect, test } from 'vitest'
import { toWireAttempt } from '../../../server/connections/to-wire-connection.ts'
import type { StoredAttempt } from '../../../server/storage/port/connector-storage.ts'

import { toEpochMs } from '../../../src/contract/epoch-ms.ts'

const ATTEMPT: StoredAttempt = {
  id: 'a',
  provider: 'notes',
  collectionId: 'c',
  keyId: 'k',
  config: {},
  createdAt: toEpochMs(0),
  expiresAt: toEpochMs(1000),
  verifier: undefined,
  status: 'waiting',
  usedAt: undefined,
  endedAt: undefined,
  detail: undefined,
  connectionId: undefined,
  held: undefined
}

test('shows an attempt without a callback as expired after its time, with the next command', () => {
  expect(toWireAttempt(ATTEMPT, 999)).toEqual({ status: 'waiting', connection_id: null, detail: null })
  const detail = 'the consent was not given in time; start again with memctl connect notes -c c'
  expect(toWireAttempt(ATTEMPT, 1000)).toEqual({ status: 'expired', connection_id: null, detail })
})

test('does not claim that the consent is missing when the server stopped during the callback', () => {
  const { detail } = toWireAttempt({ ...ATTEMPT, usedAt: toEpochMs(500) }, 1000)
  expect(detail).toMatch(/the server stopped meanwhile; start again with memctl connect notes -c c$/)
})
