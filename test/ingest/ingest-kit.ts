import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { nodeFolders } from '../../bin/node/node-folders.ts'
import { nodeIds } from '../../bin/node/node-ids.ts'
import type { Device } from '../../src/device/device.ts'
import { type AccountReport, createAccount } from '../../src/ingest/account-report.ts'
import { parseMap } from '../../src/ingest/formats/convert-json.ts'
import {
  type IngestOptions,
  type IngestReport,
  type IngestWorld,
  ingestInto,
  openConversion
} from '../../src/ingest/ingest.ts'
import type { FileTree } from '../../src/ingest/port/file-tree.ts'
import type { Format, IngestLine, Item } from '../../src/ingest/port/format.ts'
import { temporaryFolder } from '../device/device-kit.ts'
import { localReaders } from '../documents/documents-kit.ts'
import { manualClock } from '../server/http/manual-clock.ts'

/** Files of an input, by path. */
export type InputFiles = Readonly<Record<string, string | Uint8Array>>

/** The real world, with a reader of documents that runs in this process. */
export function ingestWorld(): IngestWorld {
  return {
    clock: nodeClock,
    files: nodeFiles,
    ids: nodeIds,
    folders: { ...nodeFolders(), temporary: temporaryFolder(), cache: temporaryFolder() },
    documents: localReaders(manualClock()).of('test')
  }
}

/** Writes files to a new folder with this name, and returns its path. */
export function folderOf(files: InputFiles, name = 'input'): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Writes files to a new ZIP archive, in this order, and returns its path. */
export function archiveOf(
  files: readonly (readonly [path: string, content: string | Uint8Array])[],
  name = 'input'
): string {
  const path = join(temporaryFolder(), `${name}.zip`)
  writeFileSync(path, zipBytes(files))
  return path
}

/** Packs files into a ZIP archive, in this order. */
export function zipBytes(files: readonly (readonly [path: string, content: string | Uint8Array])[]): Uint8Array {
  return zipSync(Object.fromEntries(files.map(([path, content]) => [path, toBytes(content)])), { mtime: '2026-01-02' })
}

export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

/** Creates a tree of files in memory. */
export function treeOf(files: InputFiles, name = 'input'): FileTree {
  const entries = Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    name,
    kind: entries.length === 1 ? 'file' : 'folder',
    files: entries.map(([path, content]) => ({
      path,
      size: toBytes(content).length,
      async *read() {
        yield toBytes(content)
      }
    })),
    losses: [],
    close: () => undefined
  }
}

/** Converts a tree, and returns its items and their account. */
export async function convertTree(
  format: Format,
  tree: FileTree,
  options: { me?: string; zone?: string; map?: string } = {}
): Promise<{ items: Item[]; report: AccountReport }> {
  const given = {
    documents: ingestWorld().documents,
    me: options.me,
    zone: options.zone ?? 'UTC',
    map: options.map === undefined ? undefined : parseMap(options.map),
    signal: new AbortController().signal
  }
  const account = createAccount()
  const items: Item[] = []
  for await (const item of format.convert(tree, given)) {
    account.add(item)
    items.push(item)
  }
  return { items, report: account.report() }
}

/** Returns the lines of items. */
export function linesOf(items: readonly Item[]): IngestLine[] {
  return items.flatMap((item) => ('lines' in item ? item.lines : []))
}

/** Converts the input at a path, and returns the text of its batch and the report without the duration. */
export async function batchOf(path: string, options: IngestOptions = {}) {
  const conversion = await openConversion(ingestWorld(), { path }, options)
  try {
    let text = ''
    for await (const chunk of conversion.chunks()) text += chunk
    const { seconds: _seconds, ...report } = conversion.report()
    return { text, report }
  } finally {
    conversion.close()
  }
}

/** Stores the input at a path. */
export function ingestPath(device: Device, path: string, options: IngestOptions = {}): Promise<IngestReport> {
  return ingestInto({ world: ingestWorld(), device }, { path }, options)
}
