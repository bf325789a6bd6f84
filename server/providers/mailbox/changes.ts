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

/** Records in a page, at most (users.history.list, `maxResults`). */
const PAGE_RECORDS_MAX = 500

/**
 * Without a cursor: where the history stands is noted first, then all messages are listed, then the history from there on says
 * what came, went and was moved meanwhile. With one: what the history says since.
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
 * Where the history is read from after a crawl: where it stood before, or where it stood at the newest message that the listing
 * has, if that lies further back. A listing may lag behind the profile, and what it lacks would never be told otherwise.
 * (The guide on synchronizing begins at that message too: developers.google.com/workspace/gmail/api/guides/sync.)
 */
async function findHistoryStart(
  call: SyncCall,
  { pinned, listed }: { pinned: string; listed: ListedMessages }
): Promise<string> {
  const [newest] = listed.seen
  if (newest === undefined) return pinned
  const state = await unlessGone(getMessageState(call, newest.id, 'the newest message'))
  // Deleted since: then something newer has happened anyway.
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
  const { seen, gone } = foldHistory(history)
  if (nextPageToken === undefined) return { seen, gone, cursor: writeCursor(toNextCursor(since, head)), more: false }
  return { seen, gone, cursor: writeCursor({ ...at, rest: { token: nextPageToken, head } }), more: true }
}

/**
 * The next sync begins where the history stood by the page that knew least of it: what came while pages were read, or what a copy
 * that lags behind left out of one, is told twice rather than never. Before where this sync began it does not lead back.
 */
function toNextCursor(since: string, head: string): Following {
  return { v: 1, step: 'follow', since: BigInt(head) > BigInt(since) ? head : since }
}

/** Ids are digits of 64-bit numbers: none of them fits a number exactly. */
function chooseEarlier(one: string, other: string): string {
  return BigInt(other) < BigInt(one) ? other : one
}

/** A start that Gmail does not take for one is as good as one that it has forgotten. */
function toStartFailure(failure: ProviderFailure): ProviderFailure {
  if (failure.kind !== 'contract_broken') return failure
  return new ProviderFailure('cursor_invalid', failure.message)
}

/**
 * What records of the history come to, in their order: for each message that they touch whether it is to be looked at or is gone;
 * the last word counts. Labels that neither take a message away nor bring it back say nothing, such as having read it.
 */
function foldHistory(records: readonly HistoryRecord[]): { seen: SeenItem[]; gone: string[] } {
  const wanted = new Map<string, boolean>()
  for (const record of records) for (const [id, stays] of listEffects(record)) wanted.set(id, stays)
  const ids = [...wanted.keys()]
  return {
    seen: ids.filter((id) => wanted.get(id)).map(toSeenMessage),
    gone: ids.filter((id) => !wanted.get(id))
  }
}

/**
 * Within a record a deletion has the last word. Whether a message that came or lost a label is still kept away by another one
 * is known only where its labels are named; where they are not, reading it tells.
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

/** The next page of all messages that are wanted now, for a comparison with what is known. */
export async function list(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  const token = cursor === undefined ? undefined : readListToken(cursor)
  const { seen, next } = await listMessages(call, token)
  const following = writeCursor({ v: 1, step: 'list', ...(next !== undefined && { token: next }) })
  return { seen, gone: [], cursor: following, more: next !== undefined }
}
