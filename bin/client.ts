/**
 * The client of a server as a library, apart from the device's, which has no need of it. Everything rejects with a `Fault`,
 * which has a `code` and often a `hint`; `createClient` throws it.
 */
import type { Client, ClientOptions } from '../src/client/client.ts'
import { createClient as connect } from '../src/client/create-client.ts'
import * as given from './library/test-given.ts'

export type * from '../src/client/client.ts'
export type { EndpointName, Endpoints } from '../src/contract/endpoints/endpoints.ts'
export { Fault, type FaultCode } from '../src/contract/faults.ts'

/** That the address and the key will do is tested by the client itself. */
const OPTIONS: given.GivenRules = { origin: given.TEXT, key: given.ANY, signal: given.SIGNAL, fetch: given.FUNCTION }

/**
 * A client of the server at `origin`, with a method for every endpoint. The key goes there and nowhere else; plain http is
 * for this machine only.
 */
export function createClient(options: ClientOptions): Client {
  const { fetch, ...settings } = given.testOptions('createClient', options ?? {}, OPTIONS)
  return connect({ ...settings, fetch: fetch ?? nodeFetch })
}

async function nodeFetch(request: Request): Promise<Response> {
  return await (await import('./node/http/node-fetch.ts')).nodeFetch(request)
}
