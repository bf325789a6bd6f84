/** Who waits, by connection, and whose turn is next. */
export type ConnectionTurns<T> = {
  add(connectionId: string, one: T): void
  /** Takes out one that no longer waits for its turn. */
  remove(connectionId: string, one: T): void
  /** Begins the turn of the next one; undefined where no connection may have another turn now. */
  next(): { connectionId: string; one: T } | undefined
  /** Ends a turn. */
  end(connectionId: string): void
  /** All that wait. None does afterwards. */
  clear(): T[]
  waiting(): number
}

/**
 * Gives connections turns, at most `atOnceMax` at a time for each. Next is the connection whose last turn began the longest ago, so that no
 * connection waits for two turns of another.
 */
export function createConnectionTurns<T>(atOnceMax: number): ConnectionTurns<T> {
  const queues = new Map<string, T[]>()
  const running = new Map<string, number>()
  /** When the last turn of a connection began, of those that run or wait. */
  const lastTurns = new Map<string, number>()
  let turns = 0

  const remove = (connectionId: string, one: T): void => {
    const rest = (queues.get(connectionId) ?? []).filter((other) => other !== one)
    if (rest.length > 0) queues.set(connectionId, rest)
    else queues.delete(connectionId)
  }
  return {
    add(connectionId, one) {
      queues.set(connectionId, [...(queues.get(connectionId) ?? []), one])
    },
    remove,
    next() {
      const able = [...queues].filter(([id]) => (running.get(id) ?? 0) < atOnceMax)
      const [found] = able.sort(([one], [other]) => (lastTurns.get(one) ?? 0) - (lastTurns.get(other) ?? 0))
      const [connectionId, [one] = []] = found ?? []
      if (connectionId === undefined || one === undefined) return undefined
      remove(connectionId, one)
      running.set(connectionId, (running.get(connectionId) ?? 0) + 1)
      lastTurns.set(connectionId, ++turns)
      return { connectionId, one }
    },
    end(connectionId) {
      const left = (running.get(connectionId) ?? 1) - 1
      if (left > 0) running.set(connectionId, left)
      else running.delete(connectionId)
      if (left === 0 && !queues.has(connectionId)) lastTurns.delete(connectionId)
    },
    clear() {
      const all = [...queues.values()].flat()
      queues.clear()
      return all
    },
    waiting: () => [...queues.values()].flat().length
  }
}
