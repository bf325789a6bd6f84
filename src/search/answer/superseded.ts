import type { MemoryRecord } from '../../contract/snapshot.ts'
import { buildSupersedingKey, SUPERSEDING_KEY } from '../index/collect-about-terms.ts'
import type { LineBytes } from '../rank/create-ranker.ts'
import type { Inquiry } from '../rank/inquiry.ts'

/** The memory that supersedes another one, and from when on, UTC. */
export type Superseded = { by: string; at: string }

type FinderGrounds = {
  inquiry: Inquiry
  read: (place: LineBytes) => MemoryRecord | undefined
  /** UTC text: a memory counts as superseded only from then on. */
  asOf: string | undefined
}

/** Maximum number of memories that are read for one that may be superseded. */
const SUPERSEDING_MAX = 8

/** Creates a function that finds the earliest memory which supersedes another one; undefined if none does. */
export function createSupersededFinder({
  inquiry,
  read,
  asOf
}: FinderGrounds): (record: MemoryRecord) => Superseded | undefined {
  if (inquiry.keyed(SUPERSEDING_KEY, 1).length === 0) return () => undefined
  const known = new Map<string, Superseded | undefined>()
  const find = ({ id }: MemoryRecord): Superseded | undefined => {
    const found = inquiry
      .keyed(buildSupersedingKey(id), SUPERSEDING_MAX)
      .flatMap((place) => read(place) ?? [])
      .filter(
        (later) =>
          later.id !== id && later.supersedes?.includes(id) === true && (asOf === undefined || later.at <= asOf)
      )
    const [first] = found.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
    return first && { by: first.id, at: first.at }
  }
  return (record) => {
    if (!known.has(record.id)) known.set(record.id, find(record))
    return known.get(record.id)
  }
}
