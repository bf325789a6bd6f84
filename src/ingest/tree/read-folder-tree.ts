import { basename, join } from 'node:path'
import type { FileFacts, Files } from '../../ports.ts'
import { type FileTree, TreeError, type TreeFile, type TreeLoss } from '../port/file-tree.ts'
import type { LossReason } from '../port/losses.ts'
import { type ByteSource, openFileSource, readChunks } from './byte-source.ts'
import { isHiddenName } from './find-hidden-part.ts'

/** Folders inside folders beyond this level are left out. */
const DEPTH_MAX = 64

/**
 * Lists the files below a folder. It does not follow links, so cycles cannot occur. A link to a place within the folder
 * is not reported, because that place is listed anyway.
 */
export function readFolderTree(files: Files, root: string): FileTree {
  const found: TreeFile[] = []
  const losses: TreeLoss[] = []
  const lose = (path: string, kind: TreeLoss['kind'], reason: LossReason): void => {
    losses.push({ path: path.normalize('NFC'), kind, reason })
  }

  const take = (path: string, place: string, depth: number): void => {
    const facts = attempt(() => files.findEntry(path))
    const kind = facts?.kind === 'folder' ? 'folder' : 'file'
    const reason = facts === undefined ? 'unreadable' : findLoss(files, path, { facts, root })
    if (reason !== undefined) lose(place, kind, reason)
    else if (facts?.kind === 'folder') visit(path, place, depth + 1)
    else if (facts?.kind === 'file') found.push(toTreeFile(files, path, { place, facts }))
  }

  const visit = (folder: string, inner: string, depth: number): void => {
    const names = depth > DEPTH_MAX ? undefined : attempt(() => files.list(folder))
    if (names === undefined) lose(inner || '.', 'folder', 'unreadable')
    for (const name of names ?? []) take(join(folder, name), inner === '' ? name : `${inner}/${name}`, depth)
  }

  visit(root, '', 0)
  return {
    name: basename(root).normalize('NFC') || 'root',
    kind: 'folder',
    files: found,
    losses,
    close: () => undefined
  }
}

type Entry = { facts: FileFacts; root: string }

/** Returns why an entry of a folder is left out, if it is. */
function findLoss(files: Files, path: string, { facts, root }: Entry): LossReason | undefined {
  if (isHidden(files, path, facts)) return 'hidden'
  if (facts.kind === 'other') return 'special_file'
  return facts.kind === 'link' && !leadsInside(files, path, root) ? 'link' : undefined
}

/** Folders of a Maildir begin with a dot too, and have a folder `cur`. */
function isHidden(files: Files, path: string, { kind }: FileFacts): boolean {
  if (!isHiddenName(basename(path))) return false
  return kind !== 'folder' || attempt(() => files.find(join(path, 'cur'))) === undefined
}

function leadsInside(files: Files, path: string, root: string): boolean {
  const target = attempt(() => files.realPath(path))
  return target !== undefined && (target === root || target.startsWith(join(root, '/')))
}

/** Describes a file on the disk, which is opened when it is read. */
export function toTreeFile(
  files: Files,
  path: string,
  { place, facts }: { place: string; facts: FileFacts }
): TreeFile {
  return {
    path: place.normalize('NFC'),
    size: facts.size,
    modifiedMs: Number(facts.mtimeNs / 1_000_000n),
    facts,
    async *read() {
      let source: ByteSource
      try {
        source = openFileSource(files, path)
      } catch (error) {
        throw new TreeError('unreadable', `${place} cannot be opened`, error)
      }
      try {
        yield* readChunks(source, 0, Math.min(source.size, facts.size))
      } catch (error) {
        throw error instanceof TreeError ? error : new TreeError('unreadable', `${place} cannot be read`, error)
      } finally {
        source.close()
      }
    }
  }
}

/** Returns undefined if the system refuses a call. */
export function attempt<Value>(call: () => Value): Value | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
