import type { FileFacts, FileKind, Files } from '../../src/ports.ts'

type Entry = { kind: FileKind; bytes: Uint8Array; ino: bigint; target?: string }

export type MemoryFiles = Files & {
  put(path: string, text: string | Uint8Array): void
  text(path: string): string | undefined
  /** Paths of files and links, without folders. */
  paths(): string[]
  /** Makes all calls for this path fail with the system error code. */
  refuse(path: string, code: string): void
}

/** Files in memory, without permissions and syncing. A folder exists if it was created or contains something. */
export function memoryFiles(): MemoryFiles {
  const disk = makeDisk()
  const { entries } = disk
  return {
    ...descriptors(disk),
    syncFolder: () => undefined,
    find(path) {
      const { entry } = disk.followed(path)
      const isAbove = [...entries.keys()].some((one) => one.startsWith(path === '/' ? path : `${path}/`))
      if (entry === undefined) return isAbove ? factsOf({ kind: 'folder', bytes: NOTHING, ino: 0n }) : undefined
      return factsOf(entry)
    },
    findEntry(path) {
      const entry = disk.at(path)
      return entry && factsOf(entry)
    },
    rename(from, to) {
      entries.set(to, entries.get(from) ?? fail('ENOENT', from))
      entries.delete(from)
    },
    unlink: (path) => void entries.delete(path),
    link(target, path) {
      if (disk.at(path) !== undefined) fail('EEXIST', path)
      disk.add(path, 'link').target = target
    },
    readLink: (path) => entries.get(path)?.target ?? fail('EINVAL', path),
    realPath: (path) => disk.followed(path).path,
    makeFolders: (path) => void (entries.has(path) || disk.add(path, 'folder')),
    list: (path) => [...entries.keys()].filter((one) => one.startsWith(`${path}/`)),
    setMode: () => undefined,
    put(path, text) {
      disk.add(path, 'file').bytes = typeof text === 'string' ? Buffer.from(text) : text
    },
    text(path) {
      const entry = entries.get(path)
      return entry && Buffer.from(entry.bytes).toString()
    },
    paths: () => [...entries.keys()].filter((path) => entries.get(path)?.kind !== 'folder').sort(),
    refuse: (path, code) => void disk.refused.set(path, code)
  }
}

type Disk = ReturnType<typeof makeDisk>

function makeDisk() {
  const entries = new Map<string, Entry>()
  const refused = new Map<string, string>()
  const at = (path: string): Entry | undefined => {
    const code = refused.get(path)
    return code === undefined ? entries.get(path) : fail(code, path)
  }
  const followed = (path: string): { path: string; entry: Entry | undefined } => {
    const entry = at(path)
    return entry?.target === undefined ? { path, entry } : followed(entry.target)
  }
  const add = (path: string, kind: FileKind): Entry => {
    const entry: Entry = { kind, bytes: NOTHING, ino: BigInt(entries.size + 1) }
    entries.set(path, entry)
    return entry
  }
  return { entries, refused, at, followed, add }
}

/** The calls on open files. */
function descriptors(disk: Disk) {
  const open = new Map<number, { entry: Entry; at: number; append: boolean }>()
  const opened = (fd: number) => open.get(fd) ?? fail('EBADF', String(fd))
  let last = 2
  const calls: Pick<Files, 'open' | 'close' | 'read' | 'write' | 'syncData' | 'sync' | 'truncate' | 'facts'> = {
    open(path, access) {
      const there = disk.at(path)
      if (there?.kind === 'link') return fail('ELOOP', path)
      if (access === 'create' && there !== undefined) return fail('EEXIST', path)
      const makes = access === 'create' || access === 'overwrite'
      const entry = there ?? (makes ? disk.add(path, 'file') : fail('ENOENT', path))
      if (access === 'overwrite') entry.bytes = NOTHING
      open.set(++last, { entry, at: 0, append: access === 'append' })
      return last
    },
    close: (fd) => void open.delete(fd),
    read(fd, into, at) {
      const chunk = opened(fd).entry.bytes.subarray(at, at + into.length)
      into.set(chunk)
      return chunk.length
    },
    write(fd, bytes, at) {
      const file = opened(fd)
      const start = at ?? (file.append ? file.entry.bytes.length : file.at)
      const grown = new Uint8Array(Math.max(file.entry.bytes.length, start + bytes.length))
      grown.set(file.entry.bytes)
      grown.set(bytes, start)
      file.entry.bytes = grown
      file.at = start + bytes.length
      return bytes.length
    },
    syncData: () => undefined,
    sync: () => undefined,
    truncate(fd, size) {
      opened(fd).entry.bytes = opened(fd).entry.bytes.slice(0, size)
    },
    facts: (fd) => factsOf(opened(fd).entry)
  }
  return calls
}

const NOTHING = new Uint8Array()

function factsOf(entry: Entry): FileFacts {
  const size = entry.bytes.length
  return { kind: entry.kind, dev: 1n, ino: entry.ino, links: 1, mode: 0o600, size, mtimeNs: 0n, ctimeNs: 0n }
}

function fail(code: string, path: string): never {
  throw Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' })
}
