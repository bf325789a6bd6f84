import type { ClientModule } from '../src/cli/ports/lazy-modules.ts'
import { createClient } from '../src/client/create-client.ts'
import type { Exchange } from '../src/ports.ts'
import { nodeExchange } from './node/http/node-fetch.ts'

/** The client as the commands see it. */
export const clientModule: ClientModule = { createClient }

/** What its calls go through, loaded with it. */
export const exchange: Exchange = nodeExchange
