import { basename, join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { Files, World } from '../../ports.ts'
import type { Context } from '../command/context.ts'
import { snapshotFlag } from './open-snapshot.ts'

/**
 * The numbers of the last search screen of a terminal session, which stand for memories in `show`, `why`, `correct` and
 * `forget`. Each session has one small file in the cache folder. It contains ids and no text.
 */
type Screen = {
  /** Real path of the snapshot; null if the search was not one of a local snapshot. */
  snapshot: string | null
  /** Milliseconds since 1970. */
  at: number
  /** By number, from 1. */
  entries: NumberedEntry[]
}

/** The memory of an entry, and the ids of all turns that the entry quotes, in order; none if it quotes one memory. */
export type NumberedEntry = { id: string; exchange: string[] }

/** The word of commands that take one memory. */
export const MEMORY_WORD = {
  name: '<id>',
  about: 'memory id, its first 6 characters or more, or a number of the last search',
  live: 'memory'
} as const

/** How long numbers are valid, in milliseconds. */
const VALID_MS = 30 * 60 * 1000

/** Longer numbers are prefixes of ids, which have at least 6 characters. */
const NUMBER = /^\d{1,5}$/

/** Reports whether a word is a number of a search screen, not an id. */
export function isSearchNumber(word: string): boolean {
  return NUMBER.test(word)
}

/**
 * Remembers the memories that a search has shown on a terminal. Without `path`, which is that of the snapshot, the
 * numbers of the session become invalid. A cache folder that cannot be written never fails a search.
 */
export function rememberNumbers({ world, answer }: Context, entries: readonly NumberedEntry[], path?: string): void {
  const { session } = world.terminal
  if (answer.mode !== 'table' || session === undefined) return
  try {
    const { files, clock } = world
    const folder = locateFolder(world)
    files.makeFolders(folder)
    removeOldFiles(world, folder)
    const snapshot = path === undefined ? null : files.realPath(path)
    const screen: Screen = { snapshot, at: clock.now(), entries: snapshot === null ? [] : [...entries] }
    writeFile(files, locateFile(world, session), JSON.stringify(screen))
  } catch {
    // The next command reports that there is no search.
  }
}

/**
 * Returns the id that a word stands for: itself, or for a number the memory with this number on the last search screen.
 * `path` is that of the snapshot.
 *
 * @throws Fault `usage` without a terminal; `not_found` for a number that has no memory, or no longer.
 */
export function resolveNumber(context: Context, word: string, path: string): string {
  return resolveEntry(context, word, path).id
}

/** Does the same as `resolveNumber` and also returns the turns that the entry quotes. */
export function resolveEntry(context: Context, word: string, path: string): NumberedEntry {
  if (!isSearchNumber(word)) return { id: word, exchange: [] }
  const { world } = context
  const { session } = world.terminal
  if (!context.person || session === undefined) {
    throw new Fault('usage', `${word} is a number of a search screen, and this session is not on a terminal`, {
      hint: 'give the id of the memory, which --json prints: memctl device search "a question" --json'
    })
  }
  const screen = readScreen(world, locateFile(world, session))
  if (screen === undefined || Math.abs(world.clock.now() - screen.at) > VALID_MS) {
    throw createLostFault(context, `no search of the last 30 minutes in this terminal has a number ${word}`)
  }
  if (screen.snapshot !== world.files.realPath(path)) {
    throw createLostFault(
      context,
      `${word} is a number of a search in ${screen.snapshot ?? 'a server'}, not in ${path}`
    )
  }
  const entry = screen.entries[Number(word) - 1]
  if (entry !== undefined && entry.id !== '') return entry
  const count = screen.entries.length
  const range = count === 0 ? 'no entries' : count === 1 ? 'one entry, 1' : `the entries 1 to ${count}`
  throw createLostFault(context, `the last search has ${range}: received ${word}`)
}

function createLostFault(context: Context, message: string): Fault {
  const search = `memctl device search "a question"${snapshotFlag(context)}`
  return new Fault('not_found', message, {
    hint: `search again, or give the id of the memory: ${search}`,
    next: [search]
  })
}

function locateFolder({ folders }: Pick<World, 'folders'>): string {
  return join(folders.cache, 'screens')
}

function locateFile(world: Pick<World, 'folders'>, session: string): string {
  return join(locateFolder(world), `${session.replace(/[^\w-]/g, '-')}.json`)
}

function writeFile(files: Files, path: string, text: string): void {
  const fd = files.open(path, 'overwrite', 0o600)
  try {
    files.write(fd, Buffer.from(text))
  } finally {
    files.close(fd)
  }
}

/** Maximum size of a file in bytes; a screen has at most some hundred ids. */
const BYTES_MAX = 64 * 1024

/** Reads a file; returns undefined if it is missing or not what `rememberNumbers` writes. */
function readScreen({ files }: Pick<World, 'files'>, path: string): Screen | undefined {
  try {
    const fd = files.open(path, 'read')
    try {
      const bytes = Buffer.alloc(Math.min(files.facts(fd).size, BYTES_MAX))
      const { snapshot, at, entries } = JSON.parse(bytes.toString('utf8', 0, files.read(fd, bytes, 0)))
      const isScreen = (snapshot === null || typeof snapshot === 'string') && typeof at === 'number'
      return isScreen && Array.isArray(entries) ? { snapshot, at, entries: entries.map(parseEntry) } : undefined
    } finally {
      files.close(fd)
    }
  } catch {
    return undefined
  }
}

function parseEntry({ id, exchange }: Partial<Record<string, unknown>>): NumberedEntry {
  return { id: String(id), exchange: Array.isArray(exchange) ? exchange.map(String) : [] }
}

/** Removes the files of sessions whose numbers have expired. */
function removeOldFiles({ files, clock }: World, folder: string): void {
  const oldestNs = BigInt(clock.now() - VALID_MS) * 1_000_000n
  for (const name of files.list(folder)) {
    const path = join(folder, basename(name))
    const facts = files.findEntry(path)
    if (facts?.kind === 'file' && facts.mtimeNs < oldestNs) files.unlink(path)
  }
}
