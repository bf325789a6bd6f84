import { parseIsoTime } from '../memory/parse-iso-time.ts'
import { type AccountReport, createAccount } from './account-report.ts'
import { detectFormat, findFormat } from './detect-format.ts'
import { parseMap } from './formats/convert-json.ts'
import { checkZone } from './lines/zoned-time.ts'
import type { FileTree, TreeFile } from './port/file-tree.ts'
import type { FormatFacts, Given, Item } from './port/format.ts'
import type { ItemKind } from './port/losses.ts'
import type { SpoolWorld } from './tree/byte-source.ts'
import { compileGlob } from './tree/compile-glob.ts'
import { openTree, type TreeInput } from './tree/open-tree.ts'

/** What is imported, and how. */
export type ConvertOptions = {
  /** The id of a format; detected by default. */
  from?: string | undefined
  /** The name of the user in sources that do not state it. */
  me?: string | undefined
  /** The time zone of times without one; UTC by default. */
  zone?: string | undefined
  /** An ISO 8601 time: items that are older are left out. Undated ones are kept. */
  since?: string | undefined
  /** A pattern of paths: other files are left out. */
  only?: string | undefined
  /** The members of JSON that are texts, such as `text=body,speaker=author.name,at=sent`. Implies the format `json`. */
  map?: string | undefined
}

/** An input that is open for conversion. */
export type OpenInput = {
  format: FormatFacts
  name: string
  kind: FileTree['kind']
  /** All files, also those that `only` excludes. */
  files: readonly TreeFile[]
  /** Paths of files and folders that exist but cannot be read. */
  unread: readonly string[]
  /**
   * The items that are taken; all items are counted. A file for which `findKind` returns a kind counts as one taken item,
   * and is not read. Can be read once.
   */
  items(findKind?: (file: TreeFile) => ItemKind | undefined): AsyncIterable<TakenItem>
  /** Paths of the texts that were cut because of their length, so far. */
  cut: ReadonlySet<string>
  /** Bytes of the files that have been read, and of all files. */
  progress(): { bytesRead: number; bytesTotal: number }
  account(): AccountReport
  close(): void
}

export type TakenItem = Extract<Item, { lines: unknown }>

/**
 * Opens an input and detects its format.
 * @throws Fault `usage` for an unknown format or time zone, or several candidates; as `openTree`.
 */
export async function openInput(
  world: SpoolWorld,
  input: TreeInput,
  { documents, signal, ...options }: ConvertOptions & Pick<Given, 'documents' | 'signal'>
): Promise<OpenInput> {
  const zone = checkZone(options.zone ?? 'UTC')
  const map = options.map === undefined ? undefined : parseMap(options.map)
  const from = options.from ?? (map === undefined ? undefined : 'json')
  const named = from === undefined ? undefined : findFormat(from)
  const whole = await openTree(world, input)
  try {
    const format = named ?? (await detectFormat(whole))
    const account = createAccount()
    const cut = new Set<string>()
    const { tree, progress, skip } = countReads(selectFiles(whole, options.only))
    for (const { path, kind, reason } of tree.losses) account.add({ kind, path, leftOut: reason })
    const given = { documents, me: options.me, zone, map, signal }
    const since = options.since === undefined ? undefined : parseIsoTime(options.since)
    return {
      format: format.facts,
      name: tree.name,
      kind: whole.kind,
      files: whole.files,
      unread: whole.losses.map(({ path }) => path),
      async *items(findKind) {
        const files = tree.files.filter((file) => {
          const kind = findKind?.(file)
          if (kind === undefined) return true
          account.add({ kind, path: file.path, lines: [] })
          skip(file)
          return false
        })
        for await (const found of format.convert({ ...tree, files }, given)) {
          const item = applySince(found, since)
          account.add(item)
          if ('lines' in item) yield item
          else if (item.kind === 'rest') cut.add(item.path)
        }
      },
      cut,
      progress,
      account: () => account.report(),
      close: () => whole.close()
    }
  } catch (error) {
    whole.close()
    throw error
  }
}

/** Leaves an item out if all of its lines are older. */
function applySince(item: Item, since: string | undefined): Item {
  if (since === undefined || !('lines' in item) || item.lines.length === 0) return item
  const isOld = item.lines.every(({ at }) => at !== undefined && at < since)
  return isOld ? { kind: item.kind, path: item.path, leftOut: 'before_since' } : item
}

function selectFiles(tree: FileTree, only: string | undefined): FileTree {
  if (only === undefined) return tree
  const matches = compileGlob(only)
  const excluded = tree.files.filter(({ path }) => !matches(path))
  return {
    ...tree,
    files: tree.files.filter(({ path }) => matches(path)),
    losses: [...tree.losses, ...excluded.map(({ path }) => ({ path, kind: 'file', reason: 'excluded' }) as const)]
  }
}

/** Counts the bytes that are read of each file, at most its size. A skipped file counts as read. */
function countReads(tree: FileTree) {
  let bytesRead = 0
  const bytesTotal = tree.files.reduce((sum, { size }) => sum + size, 0)
  const files = tree.files.map((file): TreeFile => {
    let most = 0
    return {
      ...file,
      async *read() {
        let own = 0
        for await (const chunk of file.read()) {
          own += chunk.length
          bytesRead += Math.max(0, own - most)
          most = Math.max(most, own)
          yield chunk
        }
      }
    }
  })
  return {
    tree: { ...tree, files },
    progress: () => ({ bytesRead, bytesTotal }),
    skip: ({ size }: TreeFile): void => {
      bytesRead += size
    }
  }
}
