import type { LookedUp, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { getSlackCode } from './failures.ts'
import { findWhere, openDraft } from './ledger.ts'
import { findPeople, isWritten, toMessageItem } from './message-item.ts'
import { findNames } from './people.ts'
import { findMessage, type MessagePlace, parseItemId } from './read.ts'
import { callMethod } from './requests.ts'

import { type Message, MessagesPage } from './wire.ts'

/**
 * See `Provider.lookUp`. A message is gone where neither its thread nor, for one that is no reply, the history at its time shows it.
 * A channel that is not shown says nothing of its messages: `changes` tells of that.
 */
export async function lookUp(call: SyncCall, { id }: { id: string }, selection: readonly string[]): Promise<LookedUp> {
  const place = parseItemId(id)
  if (place === undefined || !selection.includes(place.channel)) return 'absent'
  const message = (await unlessNoThread(findMessage(call, place))) ?? (await findInHistory(call, place))
  if (message === undefined || !isWritten(message)) return 'absent'
  const reading = { call, draft: openDraft(call.ledger), learned: { names: 0 } }
  const names = await findNames(reading, findPeople([message]))
  return toMessageItem(message, await findWhere(reading, place.channel), names)
}

async function unlessNoThread(asked: Promise<Message | undefined>): Promise<Message | undefined> {
  return await asked.catch((error: unknown) => {
    if (error instanceof ProviderFailure && NO_THREAD.has(getSlackCode(error) ?? '')) return undefined
    throw error
  })
}

const NO_THREAD: ReadonlySet<string> = new Set(['thread_not_found', 'message_not_found'])

/** History has no replies but those that were sent to the channel, too. */
async function findInHistory(call: SyncCall, { channel, root, ts }: MessagePlace): Promise<Message | undefined> {
  if (root !== ts) return undefined
  const query = { channel, oldest: ts, latest: ts, inclusive: true, limit: 1 }
  const { messages } = await callMethod(call, 'conversations.history', { query, schema: MessagesPage })
  return messages.find((message) => message.ts === ts && (message.thread_ts ?? ts) === root)
}
