import { expect, test } from 'vitest'
import type { Connection } from '../../src/contract/connection.ts'
import { examine, WELL, WITH_KEY } from './doctor-kit.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, scriptedService } from './scripted-service.ts'

/** Returns the findings about these connections. */
async function wrongWith(connections: readonly Connection[]) {
  const { fetch } = scriptedService({ ...WELL, 'GET /v1/connectors': connections })
  return await examine({ fetch, environment: WITH_KEY })
}

const failed = (last_error: string): Connection => ({
  ...ACTIVE,
  health: 'error',
  last_error,
  error_detail: { message: last_error, retryable: true }
})

test('reports no problem for synced connections', async () => {
  const { wrong, findings } = await wrongWith([ACTIVE])
  expect(wrong).toEqual([])
  expect(findings.at(-1)).toMatchObject({ check: 'connections', message: '1 connection, no problems' })
})

test.each([
  ['has no selection', CONNECTION, `memctl connections config ${CONNECTION_ID}`],
  ['is revoked', { ...ACTIVE, status: 'revoked' as const }, `memctl connect cloud_drive -c ${COLLECTION_ID}`],
  ['failed', failed('the provider does not answer'), `memctl connections runs ${CONNECTION_ID}`],
  [
    'must be connected again',
    failed(`access was taken away: connect the account again with memctl connect cloud_drive -c ${COLLECTION_ID}`),
    `memctl connect cloud_drive -c ${COLLECTION_ID}`
  ],
  ['has a disabled provider', { ...ACTIVE, provider: 'mailbox' as const }, 'memctl server providers set mailbox']
])('warns about a connection that %s, with the command that continues', async (_what, connection, hint) => {
  const { code, wrong } = await wrongWith([connection])
  expect(code).toBe(0)
  expect(wrong).toMatchObject([{ check: 'connections', state: 'warning', hint: expect.stringContaining(hint) }])
})

test('lists the first of many connections, and the number of the others', async () => {
  const { wrong } = await wrongWith(Array.from({ length: 8 }, () => CONNECTION))
  expect(wrong).toHaveLength(6)
  expect(wrong.at(-1)).toMatchObject({ message: 'and 3 others', hint: 'memctl connections list -c COLLECTION' })
})
