import type { Client } from '../../../client/client.ts'
import { type AnyCommand, defineCommand, LIVE_VALUES } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import type { LiveKind } from '../../input/command-line.ts'
import { shortGuids } from '../../output/short-forms.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { findById, type Nameable, toNameable } from '../../service/find-by-id.ts'
import { toNameableConnection } from '../../service/find-connection-id.ts'
import { findKey, KEY_COMMAND, keyVariable } from '../../service/find-key.ts'
import { makeSettings } from '../../settings/settings.ts'

/**
 * The command that completion scripts run for ids and names on the server. It prints a line with a value, a tab and a description
 * for each. It prints nothing and succeeds if the server does not respond in time, or if there is no server, key or valid setting,
 * because its user is in the middle of typing another command.
 */
export const liveValuesCommand: AnyCommand = defineCommand<{ kind: string; typed: readonly string[] }>({
  name: LIVE_VALUES,
  summary: 'Print ids and names on the server for a completion script',
  words: [
    { name: '<kind>', about: 'collection, connection or key' },
    { name: '[typed...]', about: 'command line typed so far, after --' }
  ],
  options: [],
  examples: [`memctl ${LIVE_VALUES} connection -- memctl connections sync`],
  leaves: 'Nothing was changed',
  parse: ({ words: [kind = '', ...typed] }) => ({ kind, typed }),
  run: async (context, { kind, typed }) => {
    const found = await withinTime(context, (signal) => listNameable(context, { kind, typed, signal }))
    await context.answer.raw(found.map(({ value, about }) => `${value}\t${about}\n`).join(''))
  }
})

/** How long the server may take, in milliseconds. With the start of the program, completion takes up to 300 ms. */
const LIVE_WAIT_MS = 200

async function withinTime(
  { world }: Context,
  list: (signal: AbortSignal) => Promise<readonly Nameable[]>
): Promise<readonly LiveValue[]> {
  const over = new AbortController()
  const late = world.clock.wait(LIVE_WAIT_MS, over.signal).then(() => [])
  try {
    return toLiveValues(await Promise.race([list(over.signal), late]))
  } catch {
    return []
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}

type Listing = { kind: string; typed: readonly string[]; signal: AbortSignal }

async function listNameable(context: Context, { kind, typed, signal }: Listing): Promise<readonly Nameable[]> {
  const list = Object.hasOwn(LISTS, kind) ? LISTS[kind as LiveKind] : undefined
  const client = list === undefined ? undefined : await openQuietClient(context, typed, signal)
  return list === undefined || client === undefined ? [] : await list({ client, typed, signal })
}

/**
 * Creates a client for the server that the typed command line names; undefined without a key. Does not run the program in
 * `MEMCTL_API_KEY_COMMAND`, because that may ask the user to unlock a password manager.
 */
async function openQuietClient(
  { world, flags, modules }: Context,
  typed: readonly string[],
  signal: AbortSignal
): Promise<Client | undefined> {
  const settings = makeSettings(world, { server: findTyped(typed, ['--server']) ?? flags.server })
  const server = chooseServer(settings)
  if (keyVariable(world, server) === KEY_COMMAND) return undefined
  const { key } = await findKey(world, server)
  if (key === undefined) return undefined
  const { createClient } = await modules.client()
  return createClient({ fetch: world.fetch, exchange: world.exchange, origin: server.address, key, signal })
}

type Asking = { client: Client; typed: readonly string[]; signal: AbortSignal }

/** Lists the objects of each kind. */
const LISTS: Readonly<Record<LiveKind, (asking: Asking) => Promise<readonly Nameable[]>>> = {
  collection: async ({ client, signal }) => (await client.listCollections({}, { signal })).map(toNameable),
  key: async ({ client, signal }) => (await client.listKeys({}, { signal })).map(toNameable),
  connection: listConnections
}

/** Lists the connections of the collection that the typed command line names, or of all collections. */
async function listConnections({ client, typed, signal }: Asking): Promise<readonly Nameable[]> {
  const collections = (await client.listCollections({}, { signal })).map(toNameable)
  const given = findTyped(typed, ['-c', '--collection'])
  const searched = given === undefined ? collections : [findById(collections, given, { noun: 'collection', list: '' })]
  const found = await Promise.all(
    searched.map(({ id }) => client.listConnections({ query: { collection_id: id, include: 'names' } }, { signal }))
  )
  return found.flat().map((connection) => {
    const { id, about, names } = toNameableConnection(connection)
    return { id, about, names: names.slice(0, OFFERED_NAMES) }
  })
}

/** The provider and the account of a connection are offered, and not the id of the account at the provider. */
const OFFERED_NAMES = 2

/** Returns the value of a flag on the typed command line. Quotes around it are removed. */
function findTyped(typed: readonly string[], flags: readonly string[]): string | undefined {
  const values = typed.flatMap((word, at) => {
    const joined = flags.find((flag) => flag.startsWith('--') && word.startsWith(`${flag}=`))
    if (joined !== undefined) return [word.slice(joined.length + 1)]
    return flags.includes(word) ? typed.slice(at + 1, at + 2) : []
  })
  return values.at(-1)?.replace(/^(["'])(.*)\1$/, '$2')
}

/** A value to offer. `about` describes it to shells that show descriptions. */
type LiveValue = { value: string; about: string }

/** Returns what commands accept for these objects: first the names that only one of them has, then the shortened ids. */
function toLiveValues(things: readonly Nameable[]): LiveValue[] {
  const shorten = shortGuids(things)
  const named = things.flatMap(({ id, names, about }) => [...new Set(names)].map((value) => ({ id, value, about })))
  const unique = named.filter(({ id, value }) =>
    named.every((other) => other.id === id || other.value.toLowerCase() !== value.toLowerCase())
  )
  return [...unique, ...things.map(({ id, about }) => ({ value: shorten(id), about }))]
    .filter(({ value }) => isTypable(value))
    .map(({ value, about }) => ({ value, about: toPlainLine(about) }))
}

/** Reports whether a name from the server can be offered: it has no hidden or control characters and does not look like a flag. */
function isTypable(value: string): boolean {
  return value.trim() === value && value !== '' && !value.startsWith('-') && toPlainLine(value) === value
}
