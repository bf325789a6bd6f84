import { expect, test } from 'vitest'
import { findAttempt, signState } from '../../../server/oauth/consent/sign-state.ts'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import type { StoredAttempt } from '../../../server/storage/port/connector-storage.ts'

import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { idAt } from '../../suites/storage-place.ts'
import { ASKED, furtherNode, setUpOAuth } from './oauth-kit.ts'

test.for<Partial<StoredAttempt>>([
  { provider: 'notes' },
  { collectionId: idAt(2) },
  { keyId: idAt(2) },
  { expiresAt: toEpochMs(99) },
  { id: idAt(50) }
])('binds a state to the fields of its attempt: %o', async (change) => {
  const { oauth, storage, vault } = await setUpOAuth()
  const { state } = await oauth.begin(ASKED)
  const changed = async (id: string): Promise<StoredAttempt | undefined> => {
    const stored = await storage.findAttempt(id)
    return stored && { ...stored, ...change }
  }
  expect(await findAttempt({ storage, vault }, state)).toBeDefined()
  expect(await findAttempt({ storage: { ...storage, findAttempt: changed }, vault }, state)).toBeUndefined()
})

test('builds a short state that needs no escaping in a URL', async () => {
  const { oauth } = await setUpOAuth()
  const { state } = await oauth.begin(ASKED)
  expect(encodeURIComponent(state)).toBe(state)
  expect(state.length).toBeLessThan(120)
})

test('accepts a state of another node, even one signed with a key that this node does not know yet', async () => {
  const setup = await setUpOAuth()
  const other = await furtherNode(setup, setup.storage)
  const { state } = await setup.oauth.begin(ASKED)
  const attempt = (await setup.oauth.attempt(state)) ?? fail()
  expect(await findAttempt(other, state)).toEqual(attempt)
  const further = await furtherNode(setup, setup.storage)
  await rotateKeyRing({ ...setup.parts, vault: setup.vault })
  const later = await signState(setup.vault, attempt)
  expect(later).not.toBe(state)
  for (const node of [other, further])
    for (const one of [state, later]) expect(await findAttempt(node, one)).toBeDefined()
})

function fail(): never {
  throw new Error('there is no attempt')
}
