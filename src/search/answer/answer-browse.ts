import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { ListPlace } from '../rank/browse.ts'
import type { MemoryFilter } from '../rank/memory-filter.ts'
import type { SearchIndex } from '../search-index.ts'
import { type Grounds, guardRead } from './answer-query.ts'

/** Memories newest first, from the place after `after` on. */
export type ListQuestion = {
  browse: 'list'
  limit: number
  after?: ListPlace | undefined
  filter?: MemoryFilter | undefined
}

/** Memories by id, as 32 hex digits or the first 6 or more, each with up to `around` turns before and after it. */
export type ReadQuestion = {
  browse: 'read'
  ids: readonly string[]
  around: number
  filter?: MemoryFilter | undefined
}

/** `total`, `first_at` and `last_at` describe all memories that pass the filter; `next` continues the list. */
export type ListAnswer = {
  records: MemoryRecord[]
  next: ListPlace | undefined
  total: number
  first_at: string | null
  last_at: string | null
}

/** One result per id, in order. `turns` is empty if no memory has the id, or several do. */
export type ReadAnswer = { found: FoundMemory[] }

export type FoundMemory = { id: string | undefined; several: boolean; turns: MemoryRecord[] }

type Browsed = { index: Pick<SearchIndex, 'list' | 'turns' | 'idsFrom'>; read: Grounds['read'] }

/** Answers a request for a list. */
export function answerList({ filter, limit, after }: ListQuestion, { index, read }: Browsed): ListAnswer {
  const { places, next, total, firstMs, lastMs } = index.list({ filter, limit, after })
  const allowed = guardRead(filter, read)
  const records = places.flatMap((place) => allowed(place) ?? [])
  return { records, next, total, first_at: toTime(firstMs), last_at: toTime(lastMs) }
}

/** Answers a request for memories by their ids. A memory that the filter excludes is not found. */
export function answerRead({ ids, around, filter }: ReadQuestion, { index, read }: Browsed): ReadAnswer {
  const allowed = guardRead(filter, read)
  return {
    found: ids.map((digits) => {
      const [hex, ...others] = index.idsFrom(digits)
      if (hex === undefined || others.length > 0) return { id: undefined, several: others.length > 0, turns: [] }
      const id = `mem_${hex}`
      const turns = (index.turns(Buffer.from(hex, 'hex'), around) ?? []).flatMap((place) => allowed(place) ?? [])
      return turns.some((turn) => turn.id === id)
        ? { id, several: false, turns }
        : { id: undefined, several: false, turns: [] }
    })
  }
}

function toTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
