import type { ItemContent, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { callMethod } from './call-method.ts'
import { isWritten, messageItem, peopleIn } from './message-item.ts'
import { MESSAGE_TIME } from './message-time.ts'
import { takeNotes } from './notes.ts'
import { namesOf } from './people.ts'
import { whereIs } from './step.ts'
import { type Message, MessagesPage } from './wire.ts'

/** See `Provider.read`: one message, alone or in its thread. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const place = placeIn(itemId)
  if (place === undefined) throw gone()
  const message = await findMessage(call, place)
  if (message === undefined || !isWritten(message)) throw gone()
  const reading = { call, notes: takeNotes(call.ledger), learned: { names: 0 } }
  const names = await namesOf(reading, peopleIn([message]))
  const item = messageItem(message, await whereIs(reading, place.channel), names)
  if (item.content === undefined) throw new ProviderFailure('item_permanent', item.skipped ?? 'a message without words')
  return item.content
}

/** What the id of an item names. */
export type MessagePlace = { channel: string; root: string; ts: string }

/** The parts of an item's id (see `messageItem`); undefined where it is none of ours. */
export function placeIn(itemId: string): MessagePlace | undefined {
  const [channel = '', root = '', ts = ''] = itemId.split('/')
  return channel === '' || !MESSAGE_TIME.test(root) || !MESSAGE_TIME.test(ts) ? undefined : { channel, root, ts }
}

/** Finds a message in its thread. The root comes along, whatever time is asked for. */
export async function findMessage(call: SyncCall, { channel, root, ts }: MessagePlace): Promise<Message | undefined> {
  const query = { channel, ts: root, oldest: ts, latest: ts, inclusive: true, limit: 2 }
  const page = await callMethod(call, 'conversations.replies', { query, schema: MessagesPage })
  return page.messages.find((message) => message.ts === ts && (message.thread_ts ?? message.ts) === root)
}

function gone(): ProviderFailure {
  return new ProviderFailure('item_gone', 'the message is no more')
}
