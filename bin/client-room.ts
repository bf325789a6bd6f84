import type { ClientRoom } from '../src/cli/rooms.ts'
import { createClient } from '../src/client/create-client.ts'
import type { Exchange } from '../src/ports.ts'
import { nodeExchange } from './node/fetch.ts'

/** The client as the commands see it. */
export const clientRoom: ClientRoom = { createClient }

/** What its calls go through, loaded with it. */
export const exchange: Exchange = nodeExchange
