import { plainWords } from '../providers/port/plain-words.ts'
import type { ProviderFailure } from '../providers/port/provider-failure.ts'
import { deadGrantError, reconnectCommand } from '../providers/port/reconnect-command.ts'
import type { StoredConnection } from '../storage/port/connection-storage.ts'

const SENTENCE_CHARACTERS_MAX = 500
/** Of a reason that is counted: those of one kind are to be the same. */
const REASON_CHARACTERS_MAX = 120

/** What is noted where something of ours failed: the log says more. */
export const OUR_FAILURE = 'the server failed at something that has nothing to do with the account: its log says more'

/** The same where it will mend itself. */
export const SERVER_AWAY = 'the server has too much to do, or its storage was away: it is tried again soon'

/** What is noted at a connection whose run failed. Where a new consent mends it, it says by which command. */
export function runError(
  failure: Pick<ProviderFailure, 'kind' | 'message'>,
  { service, connection }: { service: string; connection: Pick<StoredConnection, 'provider' | 'collectionId'> }
): string {
  const message = sentence(failure.message)
  const command = reconnectCommand(connection)
  switch (failure.kind) {
    case 'auth_expired':
    case 'grant_dead':
      return sentence(deadGrantError(service, message, command).replaceAll('<collection>', connection.collectionId))
    case 'scope_missing':
      return sentence(`${service} does not allow what is needed, ${message}: link the account again with ${command}`)
    case 'contract_broken':
    case 'item_gone':
    case 'item_permanent':
    case 'cursor_invalid':
      return sentence(`contract broken: ${message}`)
    default:
      return sentence(message)
  }
}

/** What is noted at an item that failed or is skipped: one line without what steers a terminal, and without a token. */
export function sentence(message: string): string {
  return plainWords(message.replace(ATTACHED, '$1[secret]').replace(APART, '$1[secret]'), [], SENTENCE_CHARACTERS_MAX)
}

/** What stands before a secret where one is written out in a query or in JSON. A space may follow where it is no token. */
const ATTACHED = /((?:token["']?[=:]|token["']\s*[=:]\s*|(?:secret|password)["']?\s*[=:]\s*)["']?)[^\s"'&]{6,}/gi

/** The same in a header or a sentence, where what follows may also be a word: that has letters alone. */
const APART = /(\bbearer\s+|token\s*[=:]\s*["']?)(?![a-z]{1,20}[.,;:!?)]*(?:[\s"'&]|$))[^\s"'&]{6,}/gi

/** The same where it is counted. */
export function countedReason(message: string): string {
  return plainWords(sentence(message), [], REASON_CHARACTERS_MAX)
}
