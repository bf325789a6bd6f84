import type { ClientRoom } from '../src/cli/rooms.ts'
import { createClient } from '../src/client/create-client.ts'

/** The client as the commands see it, loaded in one piece with the contract. */
export const clientRoom: ClientRoom = { createClient }
