import type { ItemContent, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { findWhere, openDraft } from './ledger.ts'
import { findPeople, isWritten, toMessageItem } from './message-item.ts'
import { findNames } from './people.ts'
import { callMethod } from './requests.ts'
import { MESSAGE_TIME, type Message, MessagesPage } from './wire.ts'

/** See `Provider.read`: one message, alone or in its thread. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const place = parseItemId(itemId)
  if (place === undefined) throw goneError()
  const message = await findMessage(call, place)
  if (message === undefined || !isWritten(message)) throw goneError()
  const reading = { call, draft: openDraft(call.ledger), learned: { names: 0 } }
  const names = await findNames(reading, findPeople([message]))
  const item = toMessageItem(message, await findWhere(reading, place.channel), names)
  if (item.content === undefined) throw new ProviderFailure('item_permanent', item.skipped ?? 'a message without words')
  return item.content
}

/** What the id of an item names. */
export type MessagePlace = { channel: string; root: string; ts: string }

/** The parts of an item's id (see `toMessageItem`); undefined where it is none of ours. */
export function parseItemId(itemId: string): MessagePlace | undefined {
  const [channel = '', root = '', ts = ''] = itemId.split('/')
  return channel === '' || !MESSAGE_TIME.test(root) || !MESSAGE_TIME.test(ts) ? undefined : { channel, root, ts }
}

/** Finds a message in its thread. The root comes along, whatever time is asked for. */
export async function findMessage(call: SyncCall, { channel, root, ts }: MessagePlace): Promise<Message | undefined> {
  const query = { channel, ts: root, oldest: ts, latest: ts, inclusive: true, limit: 2 }
  const page = await callMethod(call, 'conversations.replies', { query, schema: MessagesPage })
  return page.messages.find((message) => message.ts === ts && (message.thread_ts ?? message.ts) === root)
}

function goneError(): ProviderFailure {
  return new ProviderFailure('item_gone', 'the message is no more')
}
