/**
 * The client of a server as a library, apart from the device's, which has no need of it. Everything rejects with a `Fault`,
 * which has a `code` and often a `hint`.
 */
import type { Client } from '../src/client/client.ts'
import { type ClientSettings, createClient as connect } from '../src/client/create-client.ts'

export type * from '../src/client/client.ts'
export { Fault, type FaultCode } from '../src/contract/faults.ts'

export type ClientOptions = Omit<ClientSettings, 'fetch' | 'patience'> & {
  /** In place of Node's own HTTP. */
  fetch?: ClientSettings['fetch']
}

/**
 * A client of the server at `origin`, with a method for every endpoint. The key goes there and nowhere else; plain http is
 * for this machine only.
 */
export function createClient(options: ClientOptions): Client {
  return connect({ fetch: async (request) => await (await import('./node/fetch.ts')).nodeFetch(request), ...options })
}
