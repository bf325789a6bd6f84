import type { Client } from '../../client/client.ts'
import type { Patience } from '../../client/patience.ts'
import type { Context } from '../command/context.ts'
import { addErrorHint, type GivenKey } from './add-error-hint.ts'
import { type ChosenServer, chooseServer } from './choose-server.ts'
import { findKey, keyVariable } from './find-key.ts'

type Parts = Pick<Context, 'world' | 'settings' | 'diagnostics' | 'modules'>

/** Creates the client for the configured server, with its key. Sends no request. Rejects as `findKey` does. */
export async function openClient(parts: Parts): Promise<Client> {
  const server = chooseServer(parts.settings)
  const { key } = await findKey(parts.world, server)
  return await clientWith(parts, server, { key, variable: keyVariable(parts.world, server) })
}

/** Creates a client for a server with the given key. Ctrl-C aborts its calls. */
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
    convertFault: (fault) => addErrorHint({ world, modules }, server, { fault, key, variable })
  })
}

/** Limit for all waits for a busy server, in milliseconds. */
const BUSY_WAIT_MS = 30_000

/** Waits as long as the server requests, with a note on stderr. */
function makePatience({ world, diagnostics }: Pick<Parts, 'world' | 'diagnostics'>): Patience {
  return {
    clock: world.clock,
    totalMs: BUSY_WAIT_MS,
    signal: world.terminal.interrupted,
    onWait: (fault, waitMs) => diagnostics.note(`${fault.message}; retrying in ${Math.ceil(waitMs / 1000)} s`)
  }
}
