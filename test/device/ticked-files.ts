import { nodeClock } from '../../bin/node/node-clock.ts'
import type { Clock, FileFacts, Files } from '../../src/ports.ts'

/** Files whose times advance by a second per change, so that all changes differ, however fast a test is. */
export type Ticked = {
  files: Files
  clock: Clock
  /** Records that another program has changed the file at a path, and whether it restored its mtime. */
  touched(path: string, keeps?: 'mtime'): void
}

type Times = { mtime: number; ctime: number }

/** Wraps real files with simulated times. */
export function tickedFiles(real: Files): Ticked {
  const times = new Map<bigint, Times>()
  let tick = 1_700_000_000
  const change = (facts: FileFacts | undefined, keeps?: 'mtime'): void => {
    if (facts === undefined) return
    tick++
    const mtime = keeps === 'mtime' ? (times.get(facts.ino)?.mtime ?? tick) : tick
    times.set(facts.ino, { mtime, ctime: tick })
  }
  const timed = (facts: FileFacts): FileFacts => {
    const { mtime, ctime } = times.get(facts.ino) ?? { mtime: 1, ctime: 1 }
    return { ...facts, mtimeNs: BigInt(mtime) * 1_000_000_000n, ctimeNs: BigInt(ctime) * 1_000_000_000n }
  }
  const timedIfAny = (facts: FileFacts | undefined): FileFacts | undefined => facts && timed(facts)
  const files: Files = {
    ...real,
    open(path, access, mode) {
      const fd = real.open(path, access, mode)
      if (access === 'create' || access === 'overwrite') change(real.facts(fd))
      return fd
    },
    write(fd, bytes, at) {
      change(real.facts(fd))
      return real.write(fd, bytes, at)
    },
    truncate(fd, size) {
      real.truncate(fd, size)
      change(real.facts(fd))
    },
    rename(from, to) {
      real.rename(from, to)
      change(real.findEntry(to), 'mtime')
    },
    facts: (fd) => timed(real.facts(fd)),
    find: (path) => timedIfAny(real.find(path)),
    findEntry: (path) => timedIfAny(real.findEntry(path))
  }
  const clock: Clock = { ...nodeClock, now: () => tick * 1000 + 500 }
  return { files, clock, touched: (path, keeps) => change(real.findEntry(path), keeps) }
}
