/**
 * The client of a server as a library, separate from the device's. Everything rejects with a `Fault`, which has a
 * `code` and often a `hint`; `createClient` throws it.
 */
import type { Client, ClientOptions } from '../src/client/client.ts'
import { createClient as connect } from '../src/client/create-client.ts'
import * as given from './library/test-given.ts'

export type * from '../src/client/client.ts'
export type { EndpointName, Endpoints } from '../src/contract/endpoints/endpoints.ts'
export { Fault, type FaultCode } from '../src/contract/faults.ts'

/** The client itself validates the address and the key. */
const OPTIONS: given.GivenRules = { origin: given.TEXT, key: given.ANY, signal: given.SIGNAL, fetch: given.FUNCTION }

/**
 * Creates a client of the server at `origin`, with a method for each endpoint. The key is sent only there. Plain http
 * is allowed only for this machine.
 */
export function createClient(options: ClientOptions): Client {
  const { fetch, ...settings } = given.testOptions('createClient', options ?? {}, OPTIONS)
  return connect({ ...settings, fetch: fetch ?? nodeFetch })
}

async function nodeFetch(request: Request): Promise<Response> {
  return await (await import('./node/http/node-fetch.ts')).nodeFetch(request)
}
