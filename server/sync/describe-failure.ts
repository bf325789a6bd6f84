import { plainWords } from '../providers/port/plain-words.ts'
import type { ProviderFailure } from '../providers/port/provider-failure.ts'
import { deadGrantError, reconnectCommand } from '../providers/port/reconnect-command.ts'
import type { StoredConnection } from '../storage/port/connector-storage.ts'

const SENTENCE_CHARACTERS_MAX = 500
/** Of a reason that is counted: reasons of one kind should be equal. */
const REASON_CHARACTERS_MAX = 120

/** Describes the failure of a run, for its connection. If a new consent is needed, it names the command. */
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
      return cleanMessage(
        `${service} does not allow what is needed, ${message}: link the account again with ${command}`
      )
    case 'contract_broken':
    case 'item_gone':
    case 'item_permanent':
    case 'cursor_invalid':
      return cleanMessage(`contract broken: ${message}`)
    default:
      return cleanMessage(message)
  }
}

/** Cleans the message of an item that failed or is skipped: one line, without control characters and tokens. */
export function cleanMessage(message: string): string {
  return plainWords(message.replace(ATTACHED, '$1[secret]').replace(APART, '$1[secret]'), [], SENTENCE_CHARACTERS_MAX)
}

/** A secret in a query or in JSON. A space may follow the name if it is not a token. */
const ATTACHED = /((?:token["']?[=:]|token["']\s*[=:]\s*|(?:secret|password)["']?\s*[=:]\s*)["']?)[^\s"'&]{6,}/gi

/** A secret in a header or a sentence, where the next word may be no secret: such a word has only letters. */
const APART = /(\bbearer\s+|token\s*[=:]\s*["']?)(?![a-z]{1,20}[.,;:!?)]*(?:[\s"'&]|$))[^\s"'&]{6,}/gi

/** Cleans and shortens a reason, to count equal ones. */
export function shortenReason(message: string): string {
  return plainWords(cleanMessage(message), [], REASON_CHARACTERS_MAX)
}
