import { Fault } from '../../contract/faults.ts'
import type { FileTree, TreeFile, TreeLoss } from '../port/file-tree.ts'
import { TreeError } from '../port/file-tree.ts'
import {
  type ByteSource,
  checkUnpackedSize,
  MEMBERS_MAX,
  readChunks,
  type SpoolWorld,
  spoolSource
} from './byte-source.ts'
import { findHiddenPart } from './find-hidden-part.ts'
import { listTar } from './list-tar.ts'
import { listZip, type ZipMember } from './list-zip.ts'

/** Archives inside archives, counted from the outermost one. A Notion export has two levels. */
const LEVELS_MAX = 3

type Reading = {
  world: SpoolWorld
  found: Map<string, TreeFile>
  losses: Map<string, TreeLoss>
  sources: ByteSource[]
  /** Bytes of the outermost archive, and those that all of them unpack to. */
  packed: number
  unpacked: number
}

/**
 * Lists the files of a ZIP or tar archive, and those of ZIP archives inside it. Closing the tree closes the source.
 *
 * @throws Fault `invalid_input` or `too_large` for an archive that is damaged or not safe to unpack.
 */
export async function readArchiveTree(
  world: SpoolWorld,
  source: ByteSource,
  { name, type }: { name: string; type: 'zip' | 'tar' }
): Promise<FileTree> {
  const reading: Reading = {
    world,
    found: new Map(),
    losses: new Map(),
    sources: [source],
    packed: source.size,
    unpacked: 0
  }
  const close = (): void => {
    for (const one of reading.sources) one.close()
  }
  try {
    if (type === 'zip') await takeZip(reading, source, { prefix: '', level: 1 })
    else takeTar(reading, source)
  } catch (error) {
    close()
    throw error
  }
  return {
    name,
    kind: 'archive',
    files: [...reading.found.values()],
    losses: [...reading.losses.values()],
    close
  }
}

type Place = { prefix: string; level: number }

async function takeZip(reading: Reading, source: ByteSource, { prefix, level }: Place): Promise<void> {
  // The directory may name a path twice, in any order.
  const members = listZip(source).sort(
    (one, other) =>
      compare(one.path, other.path) || one.size - other.size || (one.modifiedMs ?? 0) - (other.modifiedMs ?? 0)
  )
  reading.unpacked += members.reduce((sum, { size }) => sum + size, 0)
  checkUnpackedSize(reading.unpacked, reading.packed)
  for (const member of members) {
    const path = admitPath(reading, `${prefix}${member.path}`)
    if (path === undefined) continue
    if (!/\.zip$/i.test(path)) takeFile(reading, { path, ...pickFacts(member), read: () => member.read() })
    else if (level >= LEVELS_MAX) lose(reading, path, 'archive')
    else await takeInnerZip(reading, member, { prefix: `${path}/`, level: level + 1 })
  }
}

async function takeInnerZip(reading: Reading, member: ZipMember, place: Place): Promise<void> {
  const path = place.prefix.slice(0, -1)
  try {
    const inner = member.stored() ?? (await spoolSource(reading.world, member.read()))
    reading.sources.push(inner)
    await takeZip(reading, inner, place)
  } catch (error) {
    if (error instanceof TreeError) return lose(reading, path, error.reason)
    if (error instanceof Fault && error.code === 'invalid_input') return lose(reading, path, 'damaged')
    throw error
  }
}

function takeTar(reading: Reading, source: ByteSource): void {
  const { members, losses } = listTar(source)
  for (const { path, reason } of losses) lose(reading, normalizePath(path), reason)
  for (const member of members.sort((one, other) => compare(one.path, other.path) || one.at - other.at)) {
    const path = admitPath(reading, member.path)
    const { at, size } = member
    if (path !== undefined)
      takeFile(reading, {
        path,
        ...pickFacts(member),
        async *read() {
          yield* readChunks(source, at, size)
        }
      })
  }
}

function pickFacts({ size, modifiedMs }: Pick<ZipMember, 'size' | 'modifiedMs'>) {
  return { size, ...(modifiedMs !== undefined && { modifiedMs }) }
}

function takeFile({ found }: Reading, file: TreeFile): void {
  if (found.size >= MEMBERS_MAX)
    throw new Fault('too_large', `the archive has more than ${MEMBERS_MAX} members`, {
      hint: 'unpack it, and ingest its folders'
    })
  if (!found.has(file.path)) found.set(file.path, file)
}

/** Returns the path of a member in the tree, or undefined after recording why it is left out. */
function admitPath(reading: Reading, raw: string): string | undefined {
  const path = normalizePath(raw)
  if (path.split('/').some((part) => part === '..' || part === '') || /^[a-z]:/i.test(path) || path.includes('\0')) {
    lose(reading, path, 'unsafe_path')
    return undefined
  }
  const hidden = findHiddenPart(path)
  if (hidden === undefined) return path
  if (!reading.losses.has(hidden))
    reading.losses.set(hidden, { path: hidden, kind: hidden === path ? 'file' : 'folder', reason: 'hidden' })
  return undefined
}

function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '')
    .normalize('NFC')
}

function lose({ losses }: Reading, path: string, reason: TreeLoss['reason']): void {
  losses.set(path, { path, kind: 'file', reason })
}

/** Compares texts by their UTF-16 code units, which no language changes. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
