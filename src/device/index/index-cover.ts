import type { World } from '../../ports.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { BlockProof } from '../../snapshot/block-proof.ts'
import type { DamagedLine, Form } from '../../snapshot/read-snapshot.ts'

/** What an index covers. It is stored in the index, so that both always have the same state. */
export type IndexCover = {
  /** The snapshot's real path. */
  path: string
  form: Form
  /** The number of the line, or record, after `proof.end`. */
  nextLine: number
  proof: BlockProof
  /** SHA-256 of the first line. */
  header: string
  /** Identifies this state of the index in its stamp. */
  nonce: string
  damaged: Omit<DamagedLine, 'bytes'>[]
  /** Targets of forget lines, as hex of 16 bytes each, concatenated. */
  forgotten: string
  /** Start of the last line that is more than a new memory: a forget line, or a line with an existing id. */
  lastTwist: number
}

const KEY = 'memctl.cover'

/** Returns the cover stored in an index; undefined if there is none. */
export function readCover(index: SearchIndex): IndexCover | undefined {
  return index.meta(KEY) as IndexCover | undefined
}

/** Gives this state of the index a new nonce, and stores the cover in it. */
export function nameCover({ ids }: Pick<World, 'ids'>, index: SearchIndex, cover: IndexCover): IndexCover {
  const named = { ...cover, nonce: ids.randomHex(8) }
  index.setMeta(KEY, named)
  return named
}

/** Returns the targets of forget lines in a cover, as hex of 16 bytes each. */
export function readForgottenIds({ forgotten }: Pick<IndexCover, 'forgotten'>): Set<string> {
  return new Set(forgotten.match(/.{32}/g))
}
