import type { Client } from '../../../client/client.ts'
import type { Files } from '../../../ports.ts'
import { type AnyCommand, defineCommand, LIVE_VALUES } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import type { LiveKind } from '../../input/command-line.ts'
import { shortGuids, shortId } from '../../output/short-forms.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { findById, type Nameable, toNameable } from '../../service/find-by-id.ts'
import { listNamedConnections, toNameableConnection } from '../../service/find-connection-id.ts'
import { findKey, KEY_COMMAND, keyVariable } from '../../service/find-key.ts'
import { makeSettings } from '../../settings/settings.ts'
import { chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { describeRun } from '../../views/run-list.ts'

/**
 * The command that completion scripts run for ids and names on the server, and ids in the snapshot. It prints a line with a value,
 * a tab and a description for each. It prints nothing and succeeds if the server does not respond in time, or if there is no server,
 * key, snapshot or valid setting, because its user is in the middle of typing another command.
 */
export const liveValuesCommand: AnyCommand = defineCommand<{ kind: string; typed: readonly string[] }>({
  name: LIVE_VALUES,
  summary: 'Print ids and names for a completion script',
  words: [
    { name: '<kind>', about: 'collection, connection, key, run or memory' },
    { name: '[typed...]', about: 'complete words typed so far, after --' }
  ],
  options: [],
  examples: [`memctl ${LIVE_VALUES} connection -- memctl connections sync`],
  leaves: 'Nothing was changed',
  parse: ({ words: [kind = '', ...typed] }) => ({ kind, typed }),
  run: async (context, { kind, typed }) => {
    const found = await withinTime(context, (signal) => listLive(context, { kind, typed, signal }))
    const safe = found.filter(({ value }) => isTypable(value))
    await context.answer.raw(safe.map(({ value, about }) => `${value}\t${toPlainLine(about)}\n`).join(''))
  }
})

/** A value to offer. `about` describes it to shells that show descriptions. */
type LiveValue = { value: string; about: string }

/** How long the server may take, in milliseconds. With the start of the program, completion takes up to 300 ms. */
const LIVE_WAIT_MS = 200

async function withinTime(
  { world }: Context,
  list: (signal: AbortSignal) => Promise<readonly LiveValue[]>
): Promise<readonly LiveValue[]> {
  const over = new AbortController()
  const late = world.clock.wait(LIVE_WAIT_MS, over.signal).then(() => [])
  try {
    return await Promise.race([list(over.signal), late])
  } catch {
    return []
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}

type Listing = { kind: string; typed: readonly string[]; signal: AbortSignal }

async function listLive(context: Context, { kind, typed, signal }: Listing): Promise<readonly LiveValue[]> {
  if (kind === 'memory') return listMemories(context, typed)
  const list = Object.hasOwn(LISTS, kind) ? LISTS[kind as ServerKind] : undefined
  const client = list === undefined ? undefined : await openQuietClient(context, typed, signal)
  return list === undefined || client === undefined ? [] : toLiveValues(await list({ client, typed, signal }))
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

type ServerKind = Exclude<LiveKind, 'memory'>

type Asking = { client: Client; typed: readonly string[]; signal: AbortSignal }

/** Lists the objects of each kind on the server. */
const LISTS: Readonly<Record<ServerKind, (asking: Asking) => Promise<readonly Nameable[]>>> = {
  collection: async ({ client, signal }) => (await client.listCollections({}, { signal })).map(toNameable),
  key: async ({ client, signal }) => (await client.listKeys({}, { signal })).map(toNameable),
  connection: async (asking) =>
    (await listConnections(asking)).map(({ names, ...named }) => ({ ...named, names: names.slice(0, OFFERED_NAMES) })),
  run: listRuns
}

/** The provider and the account of a connection are offered, and not the id of the account at the provider. */
const OFFERED_NAMES = 2

/** Lists the connections of the collection that the typed command line names, or of all collections. */
async function listConnections({ client, typed, signal }: Asking): Promise<readonly Nameable[]> {
  const collections = (await client.listCollections({}, { signal })).map(toNameable)
  const given = findTyped(typed, ['-c', '--collection'])
  const searched = given === undefined ? collections : [findById(collections, given, { noun: 'collection', list: '' })]
  const ids = searched.map(({ id }) => id)
  return (await listNamedConnections(client, ids, { signal })).map(toNameableConnection)
}

/** The runs of a connection that the server keeps. */
const RUNS_MAX = 100

/** Lists the runs of the connection that the typed command line names, or the connections if it does not name one yet. */
async function listRuns(asking: Asking): Promise<readonly Nameable[]> {
  const { client, typed, signal } = asking
  const connections = await listConnections(asking)
  const named = typed.slice(typed.indexOf('runs') + 1).flatMap((word) => findOnly(connections, unquote(word)))
  const [connection] = named
  if (connection === undefined) return await LISTS.connection(asking)
  const asked = { params: { connection_id: connection.id }, query: { limit: String(RUNS_MAX) } }
  return (await client.listRuns(asked, { signal })).map((run) => ({ id: run.id, names: [], about: describeRun(run) }))
}

/** Returns the object that a word names, or none if the word names none or several. */
function findOnly(things: readonly Nameable[], word: string): Nameable[] {
  try {
    return [findById(things, word, { noun: 'connection', list: '' })]
  } catch {
    return []
  }
}

/** Returns the value of a flag on the typed command line. Quotes around it are removed. */
function findTyped(typed: readonly string[], flags: readonly string[]): string | undefined {
  const values = typed.flatMap((word, at) => {
    const joined = flags.find((flag) => flag.startsWith('--') && word.startsWith(`${flag}=`))
    if (joined !== undefined) return [word.slice(joined.length + 1)]
    return flags.includes(word) ? typed.slice(at + 1, at + 2) : []
  })
  return values.map(unquote).at(-1)
}

function unquote(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2')
}

/** Bytes at the end of a snapshot whose memories are offered, and the maximum number of these. */
const TAIL_BYTES = 256 * 1024
const MEMORIES_MAX = 50
const ABOUT_MAX = 60

/**
 * Lists the memories at the end of the snapshot that the typed command line names, the last one first. Reads only the end, without
 * an index, so that the size of the file does not matter.
 */
function listMemories({ world, flags }: Context, typed: readonly string[]): readonly LiveValue[] {
  const settings = makeSettings(world, { snapshot: findTyped(typed, ['--snapshot']) ?? flags.snapshot })
  const found = new Map<string, LiveValue>()
  const forgotten = new Set<string>()
  for (const line of readTail(world.files, chooseSnapshot(world, settings).path).split('\n').toReversed()) {
    const { type, id, target, text } = parseLine(line)
    if (type === 'forget') forgotten.add(String(target))
    if (type !== 'memory' || typeof id !== 'string' || typeof text !== 'string') continue
    if (!forgotten.has(id)) found.set(id, { value: shortId(id), about: shortenAbout(text) })
    if (found.size >= MEMORIES_MAX) break
  }
  return [...found.values()]
}

function readTail(files: Files, path: string): string {
  const file = files.open(path, 'read')
  try {
    const { size } = files.facts(file)
    const bytes = new Uint8Array(Math.min(size, TAIL_BYTES))
    return new TextDecoder().decode(bytes.subarray(0, files.read(file, bytes, size - bytes.length)))
  } finally {
    files.close(file)
  }
}

/** Parses a line of a snapshot. The first one of a tail is rarely complete, and counts as empty. */
function parseLine(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

function shortenAbout(text: string): string {
  const line = toPlainLine(text)
  return line.length <= ABOUT_MAX ? line : `${line.slice(0, ABOUT_MAX - 1)}…`
}

/** Returns what commands accept for these objects: first the names that only one of them has, then the shortened ids. */
function toLiveValues(things: readonly Nameable[]): LiveValue[] {
  const shorten = shortGuids(things)
  const named = things.flatMap(({ id, names, about }) => [...new Set(names)].map((value) => ({ id, value, about })))
  const unique = named.filter(({ id, value }) =>
    named.every((other) => other.id === id || other.value.toLowerCase() !== value.toLowerCase())
  )
  return [...unique, ...things.map(({ id, about }) => ({ value: shorten(id), about }))]
}

/** Reports whether a name can be offered: it has no hidden or control characters and does not look like a flag. */
function isTypable(value: string): boolean {
  return value.trim() === value && value !== '' && !value.startsWith('-') && toPlainLine(value) === value
}
