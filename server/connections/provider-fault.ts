import { Fault, type FaultCode } from '../../src/contract/faults.ts'
import { UNSAID_WAIT_MS } from '../providers/http/paced-fetch.ts'
import type { FailureKind, ProviderFailure } from '../providers/provider-failure.ts'
import { inCollection, reconnectCommand } from '../providers/reconnect-words.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'

/** What a failure of a provider is for who asked for folders or channels of a connection. */
export function providerFault(failure: ProviderFailure, connection: StoredConnection): Fault {
  const { kind, retryAfterMs } = failure
  const message = inCollection(failure.message, connection.collectionId)
  const code = CODES[kind]
  return new Fault(code, message, {
    hint: hintOf(code, connection),
    cause: failure,
    retryAfter: retryAfterOf(code, retryAfterMs),
    ...(code === 'invalid_input' && { errors: [{ path: 'parent_id', message }] })
  })
}

/** Where a provider has had enough and does not say for how long, in seconds: no call goes out before that. */
const RETRY_AFTER_SECONDS = UNSAID_WAIT_MS / 1000

function retryAfterOf(code: FaultCode, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs !== undefined) return Math.max(1, Math.ceil(retryAfterMs / 1000))
  return code === 'rate_limited' ? RETRY_AFTER_SECONDS : undefined
}

/** Nothing of it is asked for by an item's id but the folder whose children are listed. */
const CODES: Readonly<Record<FailureKind, FaultCode>> = {
  auth_expired: 'provider_refused',
  grant_dead: 'provider_refused',
  scope_missing: 'provider_refused',
  rate_limited: 'rate_limited',
  transient: 'provider_failed',
  item_gone: 'not_found',
  item_permanent: 'invalid_input',
  cursor_invalid: 'provider_failed',
  contract_broken: 'provider_failed'
}

function hintOf(code: FaultCode, connection: StoredConnection): string {
  const { id } = connection
  if (code === 'provider_refused') return reconnectCommand(connection)
  if (code === 'rate_limited') return 'wait as long as Retry-After says'
  if (code === 'not_found' || code === 'invalid_input') return `memctl connections folders ${id}`
  return 'try again in a moment'
}
