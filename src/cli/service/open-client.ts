import type { Client } from '../../client/client.ts'
import type { Patience } from '../../client/patience.ts'
import type { Context } from '../command/context.ts'
import { addErrorHint, type GivenKey } from './add-error-hint.ts'
import { type ChosenServer, chooseServer } from './choose-server.ts'
import { findKey, keyVariable } from './find-key.ts'

type Parts = Pick<Context, 'world' | 'settings' | 'diagnostics' | 'modules'>

/** The client for the server that settings name, with its key. Asks nothing of the server yet. Throws what `findKey` throws. */
export async function openClient(parts: Parts): Promise<Client> {
  const server = chooseServer(parts.settings)
  const { key } = await findKey(parts.world, server)
  return await clientWith(parts, server, { key, variable: keyVariable(parts.world, server) })
}

/** A client for a server with a key at hand. What a person waits for can be interrupted. */
export async function clientWith(
  { world, diagnostics, modules }: Omit<Parts, 'settings'>,
  server: ChosenServer,
  { key, variable }: GivenKey
): Promise<Client> {
  const { createClient } = await modules.client()
  return createClient({
    fetch: world.fetch,
    exchange: world.exchange,
    origin: server.address,
    key,
    signal: world.terminal.interrupted,
    patience: makePatience({ world, diagnostics }),
    mend: (fault) => addErrorHint({ world, modules }, server, { fault, key, variable })
  })
}

/** How long a busy server is waited for, all in all, in milliseconds. */
const BUSY_WAIT_MS = 30_000

/** Waits as long as the server says, and says so. */
function makePatience({ world, diagnostics }: Pick<Parts, 'world' | 'diagnostics'>): Patience {
  return {
    clock: world.clock,
    totalMs: BUSY_WAIT_MS,
    signal: world.terminal.interrupted,
    onWait: (fault, waitMs) => diagnostics.note(`${fault.message}; asking again in ${Math.ceil(waitMs / 1000)} s`)
  }
}
