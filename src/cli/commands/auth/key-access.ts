import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { ObjectView } from '../../output/answer.ts'
import { cardLines } from '../../output/card.ts'
import { counted } from '../../output/short-forms.ts'

/** What a key may do, as far as its server tells. */
export type KeyAccess = { admin: boolean; collections: number }

/** Asks the server. Rejects with `unauthenticated` where the key is refused. */
export async function accessOf(client: Client): Promise<KeyAccess> {
  const collections = await client.listCollections()
  return { admin: await isAdmin(client), collections: collections.length }
}

/** Keys are shown to admins only. */
async function isAdmin(client: Client): Promise<boolean> {
  try {
    await client.listKeys()
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'forbidden') return false
    throw error
  }
}

/** For eyes: the server, where the key is from and what it may do. Never the key. */
export function accessView({ server, from, access }: { server: string; from: string; access: KeyAccess }): ObjectView {
  const may = access.admin ? 'everything: it is an admin key' : 'what its grants say'
  return {
    lines: (page) =>
      cardLines(
        [
          ['server', server],
          ['key from', from],
          ['may do', may],
          ['may read', counted(access.collections, 'collection')]
        ],
        page
      )
  }
}
