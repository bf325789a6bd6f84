import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock, FileFacts, Files } from '../ports.ts'
import type { TreeFile } from './port/file-tree.ts'
import type { Item } from './port/format.ts'
import { ITEM_KINDS, type ItemKind } from './port/losses.ts'
import type { SpoolWorld } from './tree/byte-source.ts'
import { attempt } from './tree/read-folder-tree.ts'

/** What the last import took from a file: one item, whose lines are the memories of a conversation. */
export type KnownFile = {
  /** Identifies the content of the file without reading it. */
  stamp: string
  kind: ItemKind
  lines: number
  conversation: string
  /** The digest of the texts of the lines. */
  texts: string
}

/** The files of a folder as the last import found them, in the cache folder. It may be deleted at any time. */
export type KnownFiles = {
  /** Returns what was taken from a file that has not changed since then. */
  find(file: TreeFile): KnownFile | undefined
  /** Returns the conversation of what was taken from a file at this path, even if the file has changed since then. */
  findConversation(path: string): string | undefined
  /** Notes what was taken from a file. A file with several items is converted each time. */
  note(item: TakenItem, conversation: string): void
  /** Keeps what is known about the files that still exist, except those whose text was cut. */
  save(files: readonly TreeFile[], cut: ReadonlySet<string>): void
}

export type KnownWorld = SpoolWorld & { clock: Clock }

type TakenItem = Extract<Item, { lines: unknown }>

/** Increase it if a file gives other lines than before. */
const CONVERSION_VERSION = 1

/** A file that was changed this recently, in milliseconds, may change again without another time of change. */
const SETTLED_MS = 2000
/** The stamp of such a file, which equals none. */
const UNSETTLED = ''

/** Opens the known files of a folder, for an import with these options. Errors of the system count as an empty cache. */
export function openKnownFiles(world: KnownWorld, folder: string, options: readonly unknown[]): KnownFiles {
  const { files } = world
  const key = JSON.stringify([CONVERSION_VERSION, folder, ...options])
  const path = join(
    world.folders.cache,
    'ingest',
    `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`
  )
  const known = attempt(() => parseKnown(readFile(files, path))) ?? new Map<string, KnownFile>()
  const settledMs = world.clock.now() - SETTLED_MS
  const taken = new Map<string, Omit<KnownFile, 'stamp'> | undefined>()
  return {
    find: ({ path: name, facts }) => {
      const one = known.get(name)
      return facts !== undefined && one?.stamp === stampFile(facts) ? one : undefined
    },
    findConversation: (name) => known.get(name)?.conversation,
    note: ({ kind, path: name, lines }, conversation) => {
      const texts = digestTexts(lines.map(({ raw_text }) => raw_text))
      taken.set(name, taken.has(name) ? undefined : { kind, lines: lines.length, conversation, texts })
    },
    save: (all, cut) => {
      if (taken.size === 0 && known.size === all.length) return
      for (const name of cut) taken.set(name, undefined)
      const entries = all.flatMap(({ path: name, facts }) => {
        const now = taken.get(name)
        const old = known.get(name)
        if (now === undefined || facts === undefined) return old !== undefined && !taken.has(name) ? [[name, old]] : []
        const isSettled = Number(facts.ctimeNs / 1_000_000n) < settledMs
        return [[name, { stamp: isSettled ? stampFile(facts) : UNSETTLED, ...now }]]
      })
      attempt(() => replaceFile(world, path, JSON.stringify(entries)))
    }
  }
}

/** Computes a digest of texts, in any order. */
export function digestTexts(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts.toSorted()) hash.update(`${text.length} ${text}`)
  return hash.digest('base64').slice(0, 22)
}

function stampFile({ dev, ino, size, mtimeNs, ctimeNs }: FileFacts): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

function parseKnown(text: string): Map<string, KnownFile> {
  const value: unknown = JSON.parse(text)
  const entries = Array.isArray(value) ? value.filter(isEntry) : []
  return new Map(entries)
}

/** Another version of the program may have written the file. */
function isEntry(value: unknown): value is [string, KnownFile] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object' || value[1] === null)
    return false
  const { stamp, kind, lines, conversation, texts }: Partial<Record<keyof KnownFile, unknown>> = value[1]
  return [stamp, conversation, texts].every((one) => typeof one === 'string') && Number.isInteger(lines) && isKind(kind)
}

function isKind(kind: unknown): boolean {
  return typeof kind === 'string' && Object.hasOwn(ITEM_KINDS, kind)
}

function readFile(files: Files, path: string): string {
  const fd = files.open(path, 'read')
  try {
    const bytes = Buffer.alloc(files.facts(fd).size)
    let size = 0
    for (let count = -1; count !== 0 && size < bytes.length; size += count)
      count = files.read(fd, bytes.subarray(size), size)
    return bytes.toString('utf8', 0, size)
  } finally {
    files.close(fd)
  }
}

function replaceFile({ files, folders, ids }: KnownWorld, path: string, text: string): void {
  files.makeFolders(join(folders.cache, 'ingest'))
  const next = `${path}.${ids.randomHex(4)}`
  const fd = files.open(next, 'create', 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes.subarray(done))
  } finally {
    files.close(fd)
  }
  files.rename(next, path)
}
