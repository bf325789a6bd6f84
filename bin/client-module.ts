import type { ClientModule } from '../src/cli/ports/lazy-modules.ts'
import { createClient } from '../src/client/create-client.ts'
import type { Exchange } from '../src/ports.ts'
import { nodeExchange } from './node/http/node-fetch.ts'

/** The client module of the commands. */
export const clientModule: ClientModule = { createClient }

/** The exchange that its calls use, loaded with it. */
export const exchange: Exchange = nodeExchange
