import type { ItemContent, LookedUp, SeenItem, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { getSlackCode } from './failures.ts'
import { findWhere, openReading } from './ledger.ts'
import { findPeople, toMessageItem } from './message-item.ts'
import { findNames } from './people.ts'
import { callMethod } from './requests.ts'
import { MESSAGE_TIME, type Message, MessagesPage } from './wire.ts'

/** See `Provider.read`. Reads one message, alone or in its thread. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const place = parseItemId(itemId)
  if (place === undefined) throw makeGoneError()
  const message = await findMessage(call, place)
  const item = message && (await toItem(call, place, message))
  if (item === undefined) throw makeGoneError()
  if (item.content === undefined) throw new ProviderFailure('item_permanent', item.skipped ?? 'the message has no text')
  return item.content
}

/** The place that the id of an item names. */
type MessagePlace = { channel: string; root: string; ts: string }

/** Parses an item's id (see `toMessageItem`), or returns undefined if it is invalid. */
function parseItemId(itemId: string): MessagePlace | undefined {
  const [channel = '', root = '', ts = ''] = itemId.split('/')
  return channel === '' || !MESSAGE_TIME.test(root) || !MESSAGE_TIME.test(ts) ? undefined : { channel, root, ts }
}

/** Finds a message in its thread. The reply includes the root, whatever time is requested. */
async function findMessage(call: SyncCall, { channel, root, ts }: MessagePlace): Promise<Message | undefined> {
  const query = { channel, ts: root, oldest: ts, latest: ts, inclusive: true, limit: 2 }
  const page = await callMethod(call, 'conversations.replies', { query, schema: MessagesPage })
  return page.messages.find((message) => message.ts === ts && (message.thread_ts ?? message.ts) === root)
}

function makeGoneError(): ProviderFailure {
  return new ProviderFailure('item_gone', 'the message was deleted')
}

/**
 * See `Provider.lookUp`. A message is gone if neither its thread nor, for a message that is not a reply, the history at
 * its time contains it. A hidden channel says nothing about its messages; `changes` reports it.
 */
export async function lookUp(call: SyncCall, { id }: { id: string }, selection: readonly string[]): Promise<LookedUp> {
  const place = parseItemId(id)
  if (place === undefined || !selection.includes(place.channel)) return 'absent'
  const message = (await unlessNoThread(findMessage(call, place))) ?? (await findInHistory(call, place))
  return (message && (await toItem(call, place, message))) ?? 'absent'
}

async function toItem(call: SyncCall, { channel }: MessagePlace, message: Message): Promise<SeenItem | undefined> {
  const reading = openReading(call)
  const names = await findNames(reading, findPeople([message]))
  return toMessageItem(message, await findWhere(reading, channel), names)
}

async function unlessNoThread(asked: Promise<Message | undefined>): Promise<Message | undefined> {
  return await asked.catch((error: unknown) => {
    if (error instanceof ProviderFailure && NO_THREAD.has(getSlackCode(error) ?? '')) return undefined
    throw error
  })
}

const NO_THREAD: ReadonlySet<string> = new Set(['thread_not_found', 'message_not_found'])

/** Finds a message in the history. Replies are not there, except those also sent to the channel. */
async function findInHistory(call: SyncCall, { channel, root, ts }: MessagePlace): Promise<Message | undefined> {
  if (root !== ts) return undefined
  const query = { channel, oldest: ts, latest: ts, inclusive: true, limit: 1 }
  const { messages } = await callMethod(call, 'conversations.history', { query, schema: MessagesPage })
  return messages.find((message) => message.ts === ts && (message.thread_ts ?? ts) === root)
}
