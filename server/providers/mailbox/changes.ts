import { ask } from '../http/ask.ts'
import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { type Crawling, cursorOf, cursorText, type Following } from './cursor.ts'
import { MAILBOX_FACTS } from './facts.ts'
import { failureOf, repliedValue } from './failure-of.ts'
import { outcomeOf } from './history-outcome.ts'
import { profileOf } from './identify.ts'
import { type ListedMessages, messageList, refuseRepeated } from './message-list.ts'
import { HistoryList, MessageState } from './wire.ts'

const { service } = MAILBOX_FACTS

/** Records in a page, at most (users.history.list, `maxResults`). */
const PAGE_RECORDS_MAX = 500

/**
 * Without a cursor: where the history stands is noted first, then all messages are listed, then the history from there on says
 * what came, went and was moved meanwhile. With one: what the history says since.
 */
export async function changes(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  if (cursor === undefined) return beginCrawl(call)
  const at = cursorOf(cursor)
  return at.step === 'crawl' ? crawl(call, at) : follow(call, at)
}

async function beginCrawl(call: SyncCall): Promise<Page> {
  const { historyId: pinned } = await profileOf(call)
  const listed = await messageList(call, undefined)
  return afterListing(listed, { pinned, since: await startOf(call, { pinned, listed }) })
}

async function crawl(call: SyncCall, { pinned, since, token }: Crawling): Promise<Page> {
  return afterListing(await messageList(call, token), { pinned, since })
}

function afterListing({ seen, next }: ListedMessages, { pinned, since }: Pick<Crawling, 'pinned' | 'since'>): Page {
  const cursor = cursorText(
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
async function startOf(
  call: SyncCall,
  { pinned, listed }: { pinned: string; listed: ListedMessages }
): Promise<string> {
  const [newest] = listed.seen
  if (newest === undefined) return pinned
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(newest.id)}`
  const replied = await ask(call, { service, method: 'GET', path, query: { format: 'minimal' } })
  const about = { what: 'the newest message', missing: 'item_gone' } as const
  // Deleted since: then something newer has happened anyway.
  if (replied.status !== 200 && failureOf(replied, about).kind === 'item_gone') return pinned
  return earlier(pinned, repliedValue(replied, MessageState, about).historyId)
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
  const isTooOld = replied.status === 404 && failureOf(replied, about).kind === 'cursor_invalid'
  if (isTooOld && at.pinned !== undefined) return follow(call, { v: 1, step: 'follow', since: at.pinned })
  if (replied.status === 400 && rest === undefined) throw unknownStart(failureOf(replied, about))
  const { history, historyId, nextPageToken } = repliedValue(replied, HistoryList, about)
  refuseRepeated(rest?.token, nextPageToken, what)
  const head = earlier(rest?.head ?? historyId, historyId)
  const { seen, gone } = outcomeOf(history)
  if (nextPageToken === undefined) return { seen, gone, cursor: cursorText(nextFollowing(since, head)), more: false }
  return { seen, gone, cursor: cursorText({ ...at, rest: { token: nextPageToken, head } }), more: true }
}

/**
 * The next sync begins where the history stood by the page that knew least of it: what came while pages were read, or what a copy
 * that lags behind left out of one, is told twice rather than never. Before where this sync began it does not lead back.
 */
function nextFollowing(since: string, head: string): Following {
  return { v: 1, step: 'follow', since: BigInt(head) > BigInt(since) ? head : since }
}

/** Ids are digits of 64-bit numbers: none of them fits a number exactly. */
function earlier(one: string, other: string): string {
  return BigInt(other) < BigInt(one) ? other : one
}

/** A start that Gmail does not take for one is as good as one that it has forgotten. */
function unknownStart(failure: ProviderFailure): ProviderFailure {
  if (failure.kind !== 'contract_broken') return failure
  return new ProviderFailure('cursor_invalid', failure.message)
}
