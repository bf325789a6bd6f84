import { basename, dirname } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import { chooseDocumentType } from '../../documents/choose-document-type.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import { type ByteSource, openFileSource, readChunks, type SpoolWorld, spoolSource } from './byte-source.ts'
import { gunzip } from './list-tar.ts'
import { readArchiveTree } from './read-archive-tree.ts'
import { readFolderTree, toTreeFile } from './read-folder-tree.ts'

/** The input of an import: a path, or a stream that is kept in a temporary file while it is read. */
export type TreeInput = { path: string } | { stream: AsyncIterable<Uint8Array> }

/**
 * Opens a folder, a file, or a ZIP, tar or gzip archive as a tree. The files are in the order of their paths.
 *
 * @throws Fault `not_found`, `invalid_input`, `too_large`, or a system error.
 */
export async function openTree(world: SpoolWorld, input: TreeInput): Promise<FileTree> {
  const opened = await open(world, input)
  const tree = opened.kind === 'archive' ? enterOnlyFolder(opened) : opened
  return { ...tree, files: tree.files.toSorted(byPath), losses: tree.losses.toSorted(byPath) }
}

/**
 * Archives often have one folder with everything in it, which then counts as the root: so the archive of a folder gives
 * the same ids as the folder.
 */
function enterOnlyFolder(tree: FileTree): FileTree {
  const [first] = tree.files
  const end = first?.path.indexOf('/') ?? -1
  const top = first?.path.slice(0, end + 1) ?? ''
  if (end < 0 || ![...tree.files, ...tree.losses].every(({ path }) => path.startsWith(top))) return tree
  const enter = <One extends { path: string }>(one: One): One => ({ ...one, path: one.path.slice(top.length) })
  return enterOnlyFolder({
    ...tree,
    name: stripEnding(top.slice(0, -1)),
    files: tree.files.map(enter),
    losses: tree.losses.map(enter)
  })
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0
}

async function open(world: SpoolWorld, input: TreeInput): Promise<FileTree> {
  if ('stream' in input) return await openSource(world, await spoolSource(world, input.stream), 'stdin')
  const { files } = world
  const facts = files.find(input.path)
  if (facts === undefined)
    throw new Fault('not_found', `${input.path} does not exist`, { hint: 'check the path, or give - for stdin' })
  const real = files.realPath(input.path)
  if (facts.kind === 'folder') return readFolderTree(files, real)
  if (facts.kind !== 'file')
    throw new Fault('invalid_input', `${input.path} is not a file or folder`, {
      hint: 'give a file or folder, or - for stdin'
    })
  const name = basename(real)
  const source = openFileSource(files, real)
  if (findArchiveType(source, name) === undefined) {
    source.close()
    const file = toTreeFile(files, real, { place: name, facts })
    return toFileTree(file, { name: basename(dirname(real)) || 'root', close: () => undefined })
  }
  return await openSource(world, source, name)
}

async function openSource(world: SpoolWorld, source: ByteSource, name: string): Promise<FileTree> {
  const type = findArchiveType(source, name)
  const stem = stripEnding(name)
  if (type === 'gzip') {
    const unpacked = await unpackGzip(world, source)
    const inner = name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar')
    if (findArchiveType(unpacked, inner) !== 'gzip') return await openSource(world, unpacked, inner)
    unpacked.close()
    throw new Fault('invalid_input', `${name} is compressed more than once`, { hint: 'unpack it with gunzip first' })
  }
  if (type !== undefined) return await readArchiveTree(world, source, { name: stem, type })
  const file = { path: name.normalize('NFC'), size: source.size, read: () => readSource(source) }
  return toFileTree(file, { name: stem, close: () => source.close() })
}

async function unpackGzip(world: SpoolWorld, source: ByteSource): Promise<ByteSource> {
  try {
    return await spoolSource(world, gunzip(source))
  } finally {
    source.close()
  }
}

async function* readSource(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield* readChunks(source, 0, source.size)
}

/** A single file has the root of the folder that contains it, so that both give the same ids. */
function toFileTree(file: TreeFile, { name, close }: Pick<FileTree, 'name' | 'close'>): FileTree {
  return { name: name.normalize('NFC'), kind: 'file', files: [file], losses: [], close }
}

/** Recognises an archive by its first bytes. A document in a ZIP container, such as a DOCX file, is not an archive. */
function findArchiveType(source: ByteSource, name: string): 'zip' | 'tar' | 'gzip' | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = source.read(0, 4)
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6)))
    return 'type' in chooseDocumentType({ mimeType: '', name }) ? undefined : 'zip'
  if (a === 0x1f && b === 0x8b) return 'gzip'
  return Buffer.from(source.read(257, 5)).toString('latin1') === 'ustar' ? 'tar' : undefined
}

/** Removes the ending, and the date or number by which exports of the same source differ. */
function stripEnding(name: string): string {
  const stem = name.replace(/\.(tar\.gz|tgz|zip|tar|gz)$/i, '')
  return stem.replace(/( \(\d+\)|[-_ .]*\d{4}[-_]?\d\d[-_]?\d\d\S*)$/, '').normalize('NFC') || stem
}
