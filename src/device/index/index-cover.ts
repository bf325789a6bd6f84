import type { World } from '../../ports.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { BlockProof } from '../../snapshot/block-proof.ts'
import type { DamagedLine, Form } from '../../snapshot/read-snapshot.ts'

/** What an index covers: kept inside it, so that index and cover are never of different times. */
export type IndexCover = {
  /** The snapshot's real path. */
  path: string
  form: Form
  /** The line, or record, that comes after `proof.end`. */
  nextLine: number
  proof: BlockProof
  /** SHA-256 of the first line. */
  header: string
  /** Names this state of the index in its stamp. */
  nonce: string
  damaged: Omit<DamagedLine, 'bytes'>[]
  /** Targets of forget lines, hex of 16 bytes each, one after another. */
  forgotten: string
  /** Where the last line starts that is more than a new memory: a forget line, or an id that was there already. */
  lastTwist: number
}

const KEY = 'memctl.cover'

/** What an index says that it covers; undefined where it says nothing. */
export function readCover(index: SearchIndex): IndexCover | undefined {
  return index.meta(KEY) as IndexCover | undefined
}

/** Gives this state of an index a name of its own, and puts the cover into it, to be saved with it. */
export function nameCover({ ids }: Pick<World, 'ids'>, index: SearchIndex, cover: IndexCover): IndexCover {
  const named = { ...cover, nonce: ids.randomHex(8) }
  index.setMeta(KEY, named)
  return named
}

/** The targets of forget lines that a cover knows, hex of 16 bytes each. */
export function readForgottenIds({ forgotten }: Pick<IndexCover, 'forgotten'>): Set<string> {
  return new Set(forgotten.match(/.{32}/g))
}
