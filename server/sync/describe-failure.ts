import { plainWords } from '../providers/port/plain-words.ts'
import type { ProviderFailure } from '../providers/port/provider-failure.ts'
import { deadGrantError, reconnectCommand } from '../providers/port/reconnect-command.ts'
import type { StoredConnection } from '../storage/port/connector-storage.ts'

const SENTENCE_CHARACTERS_MAX = 500
/** Limits a reason that is counted, because reasons of one kind should be equal. */
const REASON_CHARACTERS_MAX = 120

/** Describes the failure of a run for its connection. If a new consent is needed, the text names the command. */
export function describeFailure(
  failure: Pick<ProviderFailure, 'kind' | 'message'>,
  { service, connection }: { service: string; connection: Pick<StoredConnection, 'provider' | 'collectionId'> }
): string {
  const message = cleanMessage(failure.message)
  const command = reconnectCommand(connection)
  switch (failure.kind) {
    case 'auth_expired':
    case 'grant_dead':
      return cleanMessage(deadGrantError(service, message, command).replaceAll('<collection>', connection.collectionId))
    case 'scope_missing':
      return cleanMessage(`${service} does not permit this sync, ${message}: connect the account again with ${command}`)
    case 'contract_broken':
    case 'item_gone':
    case 'item_permanent':
    case 'cursor_invalid':
      return cleanMessage(`contract broken: ${message}`)
    default:
      return cleanMessage(message)
  }
}

/**
 * Cleans the message of an item that failed or was skipped. The result is one line without control characters or
 * tokens.
 */
export function cleanMessage(message: string): string {
  return plainWords(message.replace(ATTACHED, '$1[secret]').replace(APART, '$1[secret]'), [], SENTENCE_CHARACTERS_MAX)
}

/** Matches a secret in a query or in JSON. A space may follow the name, except where the name is `token`. */
const ATTACHED = /((?:token["']?[=:]|token["']\s*[=:]\s*|(?:secret|password)["']?\s*[=:]\s*)["']?)[^\s"'&]{6,}/gi

/** Matches a secret in a header or a sentence. A next word that has only letters is not a secret. */
const APART = /(\bbearer\s+|token\s*[=:]\s*["']?)(?![a-z]{1,20}[.,;:!?)]*(?:[\s"'&]|$))[^\s"'&]{6,}/gi

/** Cleans and shortens a reason, so that equal reasons can be counted together. */
export function shortenReason(message: string): string {
  return plainWords(cleanMessage(message), [], REASON_CHARACTERS_MAX)
}
