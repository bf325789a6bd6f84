import type { SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { callMethod, nextCursor } from './call-method.ts'
import { teamUrl } from './identify.ts'
import { NOTE, type Notes } from './notes.ts'
import type { Names } from './plain-text.ts'
import type { Reading } from './step.ts'
import { type User, UserInfo, UsersPage } from './wire.ts'

/** The most that a page may have (https://docs.slack.dev/reference/methods/users.list). */
const PEOPLE_PER_PAGE = 1000
/** Of a larger workspace the others are asked for one by one, when they say something. */
const PEOPLE_PAGES_MAX = 5
/** How many names are kept in mind before they are learned anew. */
const PEOPLE_KNOWN_MAX = 20_000
/** How old the list of people may be. */
const PEOPLE_FRESH_MS = 24 * 3600 * 1000
/** How many are asked for one by one for a page of messages. Whoever is beyond is shown by their id. */
const PEOPLE_ASKED_MAX = 300

export type PeopleAt = { pages: number; next?: string | undefined }

/**
 * A page of the workspace's people into the notes. Undefined where that was the last one, or where it is not long ago that all
 * were read.
 */
export async function listPeople(call: SyncCall, notes: Notes, at: PeopleAt): Promise<PeopleAt | undefined> {
  const now = call.clock.now()
  if (at.pages === 0) {
    await notes.get(NOTE.team)
    notes.put(NOTE.team, await teamUrl(call))
    const read = Number((await notes.get(NOTE.people)) ?? 0)
    if (read <= now && now - read < PEOPLE_FRESH_MS) return undefined
  }
  const page = await pageOfPeople(call, at)
  await noteAll(page?.members ?? [], notes)
  const next = page && nextCursor(page)
  if (next !== undefined && next !== at.next && at.pages + 1 < PEOPLE_PAGES_MAX) return { pages: at.pages + 1, next }
  notes.put(NOTE.people, String(now))
  return undefined
}

/** Undefined where Slack does not know the cursor any more: who is missing is asked for one by one. */
async function pageOfPeople(call: SyncCall, { next: cursor }: PeopleAt): Promise<UsersPage | undefined> {
  try {
    return await callMethod(call, 'users.list', { query: { limit: PEOPLE_PER_PAGE, cursor }, schema: UsersPage })
  } catch (error) {
    const lost = error instanceof ProviderFailure && error.kind === 'cursor_invalid' && cursor !== undefined
    if (lost) return undefined
    throw error
  }
}

async function noteAll(members: readonly User[], notes: Notes): Promise<void> {
  const known = await notes.entries(NOTE.person(''))
  const full = known.size > PEOPLE_KNOWN_MAX
  if (full) for (const key of known.keys()) notes.put(key, undefined)
  for (const user of members) {
    const name = nameOf(user)
    if (full || known.get(NOTE.person(user.id)) !== name) notes.put(NOTE.person(user.id), name)
  }
}

/**
 * What people are called, from the notes or from Slack. What was learned before a failure is in the notes, so that the next
 * attempt comes further.
 */
export async function namesOf({ call, notes, learned }: Reading, ids: ReadonlySet<string>): Promise<Names> {
  const all = [...ids]
  const noted = await Promise.all(all.map((id) => notes.get(NOTE.person(id))))
  const names = new Map(all.flatMap((id, n): [string, string][] => (noted[n] === undefined ? [] : [[id, noted[n]]])))
  for (const id of all.filter((one) => !names.has(one)).slice(0, PEOPLE_ASKED_MAX)) {
    const name = await askName(call, id)
    notes.put(NOTE.person(id), name)
    learned.names += 1
    names.set(id, name)
  }
  return names
}

/** People of other workspaces may not be shown: they are called by their id. */
async function askName(call: SyncCall, id: string): Promise<string> {
  try {
    return nameOf((await callMethod(call, 'users.info', { query: { user: id }, schema: UserInfo })).user)
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return id
    throw error
  }
}

/** As Slack shows it: the display name is empty for who has not set one. */
function nameOf({ id, name, real_name, profile }: User): string {
  return profile?.display_name || profile?.real_name || real_name || name || id
}
