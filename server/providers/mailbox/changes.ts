import { ask } from '../http/ask.ts'
import type { Page, PageFrom, SeenItem, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'

import { type Crawling, type Following, readCursor, readListToken, writeCursor } from './cursor.ts'
import { FACTS } from './facts.ts'
import { parseReply, toFailure } from './failures.ts'
import { isWanted, toSeenMessage } from './message-item.ts'
import { assertNewPage, getMessageState, getProfile, type ListedMessages, listMessages } from './requests.ts'
import { HistoryList, type HistoryRecord } from './wire.ts'

const { service } = FACTS

/** Maximum number of records in a page (users.history.list, `maxResults`). */
const PAGE_RECORDS_MAX = 500

/**
 * Returns the next page of changes. Without a cursor, it notes the position of the history and then lists all messages;
 * the history from there on reports concurrent changes. With a cursor, it reads the history since then.
 */
export async function changes(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  if (cursor === undefined) return beginCrawl(call)
  const at = readCursor(cursor)
  return at.step === 'crawl' ? crawl(call, at) : follow(call, at)
}

async function beginCrawl(call: SyncCall): Promise<Page> {
  const { historyId: pinned } = await getProfile(call)
  const listed = await listMessages(call, undefined)
  return toListingPage(listed, { pinned, since: await findHistoryStart(call, { pinned, listed }) })
}

async function crawl(call: SyncCall, { pinned, since, token }: Crawling): Promise<Page> {
  return toListingPage(await listMessages(call, token), { pinned, since })
}

function toListingPage({ seen, next }: ListedMessages, { pinned, since }: Pick<Crawling, 'pinned' | 'since'>): Page {
  const cursor = writeCursor(
    next === undefined
      ? { v: 1, step: 'follow', since, ...(pinned !== since && { pinned }) }
      : { v: 1, step: 'crawl', pinned, since, token: next }
  )
  return { seen, gone: [], cursor, more: true }
}

/**
 * Returns where to read the history after a crawl: the position before the crawl, or that of the newest listed message
 * if it is older. A listing may lag behind the profile, and messages that it lacks would otherwise never be reported.
 * The synchronization guide also starts at that message (developers.google.com/workspace/gmail/api/guides/sync).
 */
async function findHistoryStart(
  call: SyncCall,
  { pinned, listed }: { pinned: string; listed: ListedMessages }
): Promise<string> {
  const [newest] = listed.seen
  if (newest === undefined) return pinned
  const state = await unlessGone(getMessageState(call, newest.id, 'the newest message'))
  // Deleted since then, so the history has advanced anyway.
  return state === undefined ? pinned : chooseEarlier(pinned, state.historyId)
}

async function follow(call: SyncCall, at: Following): Promise<Page> {
  const { since, rest } = at
  const replied = await ask(call, {
    service,
    method: 'GET',
    path: '/gmail/v1/users/me/history',
    query: { startHistoryId: since, maxResults: PAGE_RECORDS_MAX, pageToken: rest?.token }
  })
  const what = 'the history of the mailbox'
  const about = { what, missing: 'cursor_invalid', fromToken: rest !== undefined } as const
  const isTooOld = replied.status === 404 && toFailure(replied, about).kind === 'cursor_invalid'
  if (isTooOld && at.pinned !== undefined) return follow(call, { v: 1, step: 'follow', since: at.pinned })
  if (replied.status === 400 && rest === undefined) throw toStartFailure(toFailure(replied, about))
  const { history, historyId, nextPageToken } = parseReply(replied, HistoryList, about)
  assertNewPage(rest?.token, nextPageToken, what)
  const head = chooseEarlier(rest?.head ?? historyId, historyId)
  const { seen, gone } = foldHistory(call, history)
  if (nextPageToken === undefined) return { seen, gone, cursor: writeCursor(toNextCursor(since, head)), more: false }
  return { seen, gone, cursor: writeCursor({ ...at, rest: { token: nextPageToken, head } }), more: true }
}

/**
 * Builds the next cursor from the oldest history position of all pages. Changes during paging, and changes that a
 * lagging replica omitted, are then reported twice rather than never. It never precedes the start of this sync.
 */
function toNextCursor(since: string, head: string): Following {
  return { v: 1, step: 'follow', since: BigInt(head) > BigInt(since) ? head : since }
}

/**
 * Returns the earlier of two history ids. These are 64-bit numbers in digits, which a number cannot represent exactly.
 */
function chooseEarlier(one: string, other: string): string {
  return BigInt(other) < BigInt(one) ? other : one
}

/** Converts the failure of a start position that Gmail refuses: it is treated like one that Gmail has forgotten. */
function toStartFailure(failure: ProviderFailure): ProviderFailure {
  if (failure.kind !== 'contract_broken') return failure
  return new ProviderFailure('cursor_invalid', failure.message)
}

/**
 * Combines history records in order: for each message, whether it must be read or is gone. The last record counts.
 * Labels that do not affect whether a message is wanted, such as the read mark, are ignored.
 */
function foldHistory(call: SyncCall, records: readonly HistoryRecord[]): { seen: SeenItem[]; gone: string[] } {
  const wanted = new Map<string, boolean>()
  for (const record of records) for (const [id, stays] of listEffects(record)) wanted.set(id, stays)
  const ids = [...wanted.keys()]
  return {
    seen: ids.filter((id) => wanted.get(id)).map((id) => toSeenMessage(id, call)),
    gone: ids.filter((id) => !wanted.get(id))
  }
}

/**
 * Lists the effects of a record; a deletion comes last. If a record does not name all labels of a message, the message
 * is read to find out whether another label excludes it.
 */
function listEffects(record: HistoryRecord): [id: string, stays: boolean][] {
  const { messagesAdded, labelsRemoved, labelsAdded, messagesDeleted } = record
  return [
    ...messagesAdded.map(({ message }): [string, boolean] => [message.id, isWanted(message.labelIds ?? [])]),
    ...labelsRemoved
      .filter(({ labelIds }) => !isWanted(labelIds))
      .map(({ message }): [string, boolean] => [message.id, isWanted(message.labelIds ?? [])]),
    ...labelsAdded
      .filter(({ labelIds }) => !isWanted(labelIds))
      .map(({ message }): [string, boolean] => [message.id, false]),
    ...messagesDeleted.map(({ message }): [string, boolean] => [message.id, false])
  ]
}

/** Returns the next page of all wanted messages, for a comparison with the known ones. */
export async function list(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  const token = cursor === undefined ? undefined : readListToken(cursor)
  const { seen, next } = await listMessages(call, token)
  const following = writeCursor({ v: 1, step: 'list', ...(next !== undefined && { token: next }) })
  return { seen, gone: [], cursor: following, more: next !== undefined }
}
