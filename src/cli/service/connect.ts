import type { Client } from '../../client/client.ts'
import type { Patience } from '../../client/patience.ts'
import type { World } from '../../ports.ts'
import type { Talk } from '../output/talk.ts'
import type { Rooms } from '../rooms.ts'
import type { Settings } from '../settings/settings.ts'
import { chooseServer } from './choose-server.ts'
import { findKey } from './find-key.ts'

type Parts = { world: World; settings: Settings; talk: Talk; rooms: Rooms }

/** The client for the server that settings name, with its key. Asks nothing of the server yet. */
export async function connect({ world, settings, talk, rooms }: Parts): Promise<Client> {
  const server = chooseServer(settings)
  const { key, withheld } = await findKey(world, server)
  if (withheld !== undefined) {
    await talk.warn(`${withheld} is not sent to ${server.origin}, which only ${server.where ?? 'a file'} names`)
  }
  const { createClient } = await rooms.client()
  return createClient({
    fetch: world.fetch,
    origin: server.address,
    key,
    signal: world.terminal.interrupted,
    patience: patienceOf(world, talk)
  })
}

/** How long a busy server is waited for, all in all, in milliseconds. */
const BUSY_WAIT_MS = 30_000

/** Waits as long as the server says, and says so. */
export function patienceOf({ clock, terminal }: Pick<World, 'clock' | 'terminal'>, talk: Talk): Patience {
  return {
    clock,
    totalMs: BUSY_WAIT_MS,
    signal: terminal.interrupted,
    onWait: (fault, waitMs) => talk.note(`${fault.message}; asking again in ${Math.ceil(waitMs / 1000)} s`)
  }
}
