import { chooseUserName } from '../../../src/documents/slack/slack-message.ts'
import type { Names } from '../../../src/documents/slack/to-plain-text.ts'
import type { SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { KEYS, type LedgerDraft, type Reading } from './ledger.ts'

import { callMethod, getTeamUrl, nextCursor } from './requests.ts'

import { BotInfo, type User, UserInfo, UsersPage } from './wire.ts'

/** The maximum page size (https://docs.slack.dev/reference/methods/users.list). */
const PEOPLE_PER_PAGE = 1000
/** In a larger workspace, the other people are fetched individually when they write. */
const PEOPLE_PAGES_MAX = 5
/** Maximum number of noted names before they are fetched again. */
const PEOPLE_KNOWN_MAX = 20_000
/** Maximum age of the list of people. */
const PEOPLE_FRESH_MS = 24 * 3600 * 1000
/** Maximum number of names that are fetched individually for a page of messages. Other people are shown by their id. */
const PEOPLE_ASKED_MAX = 300

export type PeopleAt = { pages: number; next?: string | undefined }

/**
 * Reads a page of the workspace's people into the ledger. Returns undefined after the last page, or if all were read
 * recently.
 */
export async function listPeople(call: SyncCall, draft: LedgerDraft, at: PeopleAt): Promise<PeopleAt | undefined> {
  const now = call.clock.now()
  if (at.pages === 0) {
    await draft.get(KEYS.team)
    draft.put(KEYS.team, await getTeamUrl(call))
    const read = Number((await draft.get(KEYS.people)) ?? 0)
    if (read <= now && now - read < PEOPLE_FRESH_MS) return undefined
  }
  const page = await fetchPeople(call, at)
  await notePeople(page?.members ?? [], draft)
  const next = page && nextCursor(page)
  if (next !== undefined && next !== at.next && at.pages + 1 < PEOPLE_PAGES_MAX) return { pages: at.pages + 1, next }
  draft.put(KEYS.people, String(now))
  return undefined
}

/**
 * Fetches a page of people. Returns undefined if Slack no longer knows the cursor; missing names are then fetched
 * individually.
 */
async function fetchPeople(call: SyncCall, { next: cursor }: PeopleAt): Promise<UsersPage | undefined> {
  try {
    return await callMethod(call, 'users.list', { query: { limit: PEOPLE_PER_PAGE, cursor }, schema: UsersPage })
  } catch (error) {
    const lost = error instanceof ProviderFailure && error.kind === 'cursor_invalid' && cursor !== undefined
    if (lost) return undefined
    throw error
  }
}

async function notePeople(members: readonly User[], draft: LedgerDraft): Promise<void> {
  const known = await draft.entries(KEYS.person(''))
  const full = known.size > PEOPLE_KNOWN_MAX
  if (full) for (const key of known.keys()) draft.put(key, undefined)
  for (const user of members) {
    const name = chooseUserName(user)
    if (full || known.get(KEYS.person(user.id)) !== name) draft.put(KEYS.person(user.id), name)
  }
}

/**
 * Returns names from the ledger or from Slack. Names fetched before a failure are in the ledger, so that the next
 * attempt makes progress.
 */
export async function findNames({ call, draft, learned }: Reading, ids: ReadonlySet<string>): Promise<Names> {
  const all = [...ids]
  const noted = await Promise.all(all.map((id) => draft.get(KEYS.person(id))))
  const names = new Map(all.flatMap((id, n): [string, string][] => (noted[n] === undefined ? [] : [[id, noted[n]]])))
  for (const id of all.filter((one) => !names.has(one)).slice(0, PEOPLE_ASKED_MAX)) {
    const name = await askName(call, id)
    draft.put(KEYS.person(id), name)
    learned.names += 1
    names.set(id, name)
  }
  return names
}

/** Fetches the name of a person or app. Those of other workspaces may be hidden; they are shown by their id. */
async function askName(call: SyncCall, id: string): Promise<string> {
  try {
    if (id.startsWith('B'))
      return (await callMethod(call, 'bots.info', { query: { bot: id }, schema: BotInfo })).bot.name
    return chooseUserName((await callMethod(call, 'users.info', { query: { user: id }, schema: UserInfo })).user)
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return id
    throw error
  }
}
