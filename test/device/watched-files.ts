import type { Files } from '../../src/ports.ts'

export type Watched = {
  files: Files
  /** Returns the number of bytes read from the watched file since the last call. */
  bytesRead(): number
}

/** Creates files that count what is read from the one at `path`. */
export function watchedFiles(real: Files, path: string): Watched {
  const opened = new Set<number>()
  let count = 0
  const files: Files = {
    ...real,
    open(at, access, mode) {
      const fd = real.open(at, access, mode)
      if (at === path) opened.add(fd)
      return fd
    },
    close(fd) {
      opened.delete(fd)
      real.close(fd)
    },
    read(fd, into, at) {
      const got = real.read(fd, into, at)
      if (opened.has(fd)) count += got
      return got
    }
  }
  const bytesRead = (): number => {
    const since = count
    count = 0
    return since
  }
  return { files, bytesRead }
}
