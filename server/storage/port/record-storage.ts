import type { DamagedLine, RecordBatch, RecordPage } from './record-batch.ts'

/** The lines of the collections. */
export type RecordStorage = {
  /**
   * Puts lines into a collection in one transaction, durable when it resolves: of several lines with one id the best stays
   * (highest extractor, then earliest time, then smallest check), a forget line takes its memory out for good. Every
   * line that changes something gets the next sequence number of the collection. Numbers appear in their order: who has
   * seen one has all before it, but for those of lines that are gone.
   *
   * The memory of the batch is the storage's from then on: it may be moved away.
   *
   * @throws Fault `not_found` where the collection is gone.
   */
  append(collectionId: string, batch: RecordBatch): Promise<Appended>
  /**
   * Lines with a sequence number over `after` and up to `upTo`, in order; as many as fit into `maxBytes`, at least one: an
   * empty page is the end. Throws `not_found` where the collection is gone, as does `knownIds`.
   */
  page(collectionId: string, range: PageRange): Promise<RecordPage>
  /** Verifies a page of lines where they are stored, without handing them out. Of a collection that is gone there are none. */
  verifyLines(collectionId: string, range: PageRange): Promise<VerifiedLines>
  /**
   * Notes which lines with a sequence number over `after` and up to `upTo` are damaged, in place of what was noted of them before. A
   * note goes with its line.
   */
  noteDamage(collectionId: string, found: FoundDamage): Promise<void>
  /** The known ids (memories and forgotten ones), 16 bytes each, ascending. */
  knownIds(collectionId: string): Promise<Uint8Array>
}

/** A value of `OUTCOMES` for each line, and the collection's highest sequence number afterwards. */
export type Appended = { outcomes: Uint8Array; seq: number }

/** `isUnverified`: the reader verifies the lines itself, so that each is hashed once. */
export type PageRange = { after: number; upTo: number; maxBytes: number; isUnverified?: boolean }

/**
 * What verifying a page came to: up to which sequence number, and of how many lines. `isEnd`: there were none. `memories` counts
 * damaged lines too, since any of them may be one.
 */
export type VerifiedLines = {
  upTo: number
  isEnd: boolean
  lines: number
  memories: number
  damaged: readonly DamagedLine[]
}

export type FoundDamage = { after: number; upTo: number; damaged: readonly DamagedLine[] }
