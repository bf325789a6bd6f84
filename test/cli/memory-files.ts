import type { FileFacts, FileKind, Files } from '../../src/ports.ts'

type Entry = { kind: FileKind; bytes: Uint8Array; ino: bigint; mode: number; target?: string }

export type MemoryFiles = Files & {
  put(path: string, text: string | Uint8Array): void
  text(path: string): string | undefined
  /** Of files and links, not of folders. */
  paths(): string[]
  /** From now on this path is refused with the code, as the system would. */
  refuse(path: string, code: string): void
}

/** Files in memory: folders exist where something lies in them or they were made; no permissions, no syncing. */
export function memoryFiles(): MemoryFiles {
  const entries = new Map<string, Entry>()
  const open = new Map<number, { path: string; entry: Entry; at: number; append: boolean }>()
  const refused = new Map<string, string>()
  let last = 2

  const add = (path: string, kind: FileKind, target?: string): Entry => {
    const entry: Entry = { kind, bytes: new Uint8Array(), ino: BigInt(entries.size + 1), mode: 0o600 }
    if (target !== undefined) entry.target = target
    entries.set(path, entry)
    return entry
  }
  const entryAt = (path: string): Entry | undefined => {
    const code = refused.get(path)
    if (code !== undefined) throw systemError(code, path)
    return entries.get(path)
  }
  const followed = (path: string): [string, Entry | undefined] => {
    const entry = entryAt(path)
    return entry?.target === undefined ? [path, entry] : followed(entry.target)
  }
  const opened = (fd: number) => open.get(fd) ?? fail('EBADF', String(fd))

  return {
    open(path, access) {
      const there = entryAt(path)
      if (there?.kind === 'link') throw systemError('ELOOP', path)
      if (access === 'create' && there !== undefined) throw systemError('EEXIST', path)
      const entry = there ?? (access === 'create' || access === 'overwrite' ? add(path, 'file') : fail('ENOENT', path))
      if (access === 'overwrite') entry.bytes = new Uint8Array()
      open.set(++last, { path, entry, at: 0, append: access === 'append' })
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
    syncFolder: () => undefined,
    truncate(fd, size) {
      opened(fd).entry.bytes = opened(fd).entry.bytes.slice(0, size)
    },
    facts: (fd) => factsOf(opened(fd).entry),
    find(path) {
      const [, entry] = followed(path)
      const isAbove =
        entry === undefined && [...entries.keys()].some((one) => one.startsWith(path === '/' ? path : `${path}/`))
      return isAbove
        ? factsOf({ kind: 'folder', bytes: new Uint8Array(), ino: 0n, mode: 0o700 })
        : entry && factsOf(entry)
    },
    findEntry(path) {
      const entry = entryAt(path)
      return entry && factsOf(entry)
    },
    rename(from, to) {
      entries.set(to, entries.get(from) ?? fail('ENOENT', from))
      entries.delete(from)
    },
    unlink: (path) => void entries.delete(path),
    link: (target, path) => void add(path, 'link', target),
    readLink: (path) => entries.get(path)?.target ?? fail('EINVAL', path),
    realPath: (path) => followed(path)[0],
    makeFolders(path) {
      if (!entries.has(path)) add(path, 'folder')
    },
    list: (path) => [...entries.keys()].filter((one) => one.startsWith(`${path}/`)),
    setMode: () => undefined,
    put(path, text) {
      add(path, 'file').bytes = typeof text === 'string' ? Buffer.from(text) : text
    },
    text(path) {
      const entry = entries.get(path)
      return entry && Buffer.from(entry.bytes).toString()
    },
    paths: () => [...entries.keys()].filter((path) => entries.get(path)?.kind !== 'folder').sort(),
    refuse: (path, code) => void refused.set(path, code)
  }
}

function factsOf(entry: Entry): FileFacts {
  const size = entry.bytes.length
  return { kind: entry.kind, dev: 1n, ino: entry.ino, links: 1, mode: entry.mode, size, mtimeNs: 0n, ctimeNs: 0n }
}

function fail(code: string, path: string): never {
  throw systemError(code, path)
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' })
}
