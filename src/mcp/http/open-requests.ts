import type { JSONRPCResponse } from '@modelcontextprotocol/server'
import type { Ids } from '../../ports.ts'

/**
 * The requests that the server sent to clients during calls, and whose responses arrive as messages of their own. They
 * are kept while the call lasts.
 */
export type OpenRequests = {
  /**
   * Opens a request within a call of a caller, and returns its id, which cannot be guessed.
   *
   * @throws Error if too many requests are open.
   */
  open(caller: string, deliver: (response: JSONRPCResponse) => void): string
  /** Delivers a response to its request. Returns false unless the same caller has an open request with its id. */
  answer(caller: string, response: JSONRPCResponse): boolean
  close(id: string): void
  /** Returns the number of open requests. */
  count(): number
}

/** The maximum number of open requests of all callers. */
const REQUESTS_MAX = 1000

const ID_BYTES = 16

/** Creates the table without requests. */
export function createOpenRequests(ids: Ids): OpenRequests {
  const open = new Map<string, { caller: string; deliver: (response: JSONRPCResponse) => void }>()
  return {
    open(caller, deliver) {
      if (open.size >= REQUESTS_MAX)
        throw new Error(`the server already waits for ${REQUESTS_MAX} responses of clients`)
      const id = ids.randomHex(ID_BYTES)
      open.set(id, { caller, deliver })
      return id
    },
    answer(caller, response) {
      const id = String(response.id)
      const request = open.get(id)
      if (request?.caller !== caller) return false
      open.delete(id)
      request.deliver(response)
      return true
    },
    close: (id) => void open.delete(id),
    count: () => open.size
  }
}
