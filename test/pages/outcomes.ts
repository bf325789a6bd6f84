import type { Names, Settled } from '../../server/http/pages/consent-page.ts'
import type { StoredAttempt, StoredConnection } from '../../server/storage/port/connector-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'

/** Consents with every possible outcome, for tests of their pages. */

const HOSTILE = `\u202egnp.exe\u2066 <script>alert(1)</script> "'>${'é\u0301\u0302\u0303\u0304\u0305'.repeat(3)} \u001b[2J\0\r\n${'x'.repeat(10_000)}`

export const NAMES: Names = {
  service: 'Google Drive (sandbox)',
  selects: 'folder_ids',
  collectionName: 'research notes',
  keyName: 'laptop'
}

export const HOSTILE_NAMES: Names = { ...NAMES, service: HOSTILE, collectionName: HOSTILE, keyName: HOSTILE }

const COLLECTION = '01980a7c-5e00-7000-8000-2b7e151628ae'
const CONNECTION = '01980a7c-5e01-7000-8000-abf7158809cf'

export const ATTEMPT: StoredAttempt = {
  id: 'an attempt',
  provider: 'cloud_drive',
  collectionId: COLLECTION,
  keyId: 'a key',
  config: {},
  createdAt: toEpochMs(Date.UTC(2026, 4, 1, 12)),
  expiresAt: toEpochMs(Date.UTC(2026, 4, 1, 12, 10)),
  verifier: undefined,
  status: 'waiting',
  usedAt: undefined,
  endedAt: undefined,
  detail: undefined,
  connectionId: undefined,
  held: undefined
}

function connectionOf(more: Partial<StoredConnection> = {}): StoredConnection {
  return {
    id: CONNECTION,
    provider: 'cloud_drive',
    collectionId: COLLECTION,
    accountId: 'account-1',
    accountName: 'ada@example.com',
    status: 'pending',
    config: {},
    placeNames: undefined,
    credentialId: 'credential-1',
    lastError: undefined,
    createdAt: ATTEMPT.createdAt,
    version: 1,
    cursorGeneration: 1,
    itemsSynced: 0,
    lastSyncedAt: undefined,
    nextRunAt: undefined,
    ...more
  }
}

const attempt = ATTEMPT
const asks = { outcome: 'asks', attempt, ticket: 'T'.repeat(43), expiresAt: ATTEMPT.expiresAt } as const

/** By their names in tests. */
export const OUTCOMES = {
  pending: { outcome: 'connected', attempt, connection: connectionOf(), renewed: false },
  active: { outcome: 'connected', attempt, connection: connectionOf({ status: 'active' }), renewed: false },
  renewed: {
    outcome: 'connected',
    attempt,
    connection: connectionOf({
      status: 'active',
      config: { folder_ids: ['1AbC', '2DeF'] },
      placeNames: { '1AbC': 'Field reports' }
    }),
    renewed: true
  },
  asks: { ...asks, accountName: 'ada@example.com' },
  denied: { outcome: 'denied', attempt, detail: 'consent was not given' },
  expired: { outcome: 'expired', attempt },
  replayed: { outcome: 'replayed', attempt: { ...attempt, status: 'failed' } },
  done: { outcome: 'replayed', attempt: { ...attempt, status: 'completed' } },
  failed: { outcome: 'failed', attempt, detail: 'the token endpoint of Google Drive answered 500' },
  rejected: { outcome: 'rejected', attempt, detail: 'the answer of Google Drive cannot be trusted' },
  unknown: { outcome: 'unknown' },
  'no provider': { outcome: 'no_provider' }
} as const satisfies Record<string, Settled>

/** The same with hostile names. */
export const HOSTILE_OUTCOMES = {
  connected: {
    ...OUTCOMES.active,
    connection: connectionOf({
      status: 'active',
      accountName: HOSTILE,
      config: { channel_ids: ['C01'] },
      placeNames: { C01: HOSTILE }
    })
  },
  asks: { ...asks, accountName: HOSTILE },
  denied: { ...OUTCOMES.denied, detail: HOSTILE },
  failed: { ...OUTCOMES.failed, detail: HOSTILE }
} as const satisfies Record<string, Settled>
