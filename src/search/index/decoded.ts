import type { SegmentRow } from './index-store.ts'
import type { ColumnName, NumberColumn } from './number-column.ts'
import type { Postings } from './postings.ts'

/** What was unpacked of an index. Segments are written once, so it stays true when others come after them. */
export type Decoded = {
  /** Cells of the first so many documents. */
  columns: Map<ColumnName, NumberColumn>
  /** The first four bytes of the first so many ids, each as a number. */
  heads: Uint32Array
  /** By segment. */
  parts: Map<number, DecodedPart>
  /** Postings kept in all parts. */
  postings: number
}

export type DecodedPart = {
  directory: string[] | undefined
  /** By term; undefined where the segment has none. */
  lists: Map<string, Postings | undefined>
  /** By column and chunk. */
  cells: Map<string, Float64Array>
  bytes: Map<string, Uint8Array>
}

/** Nothing unpacked yet. */
export function createDecoded(): Decoded {
  return { columns: new Map(), heads: new Uint32Array(0), parts: new Map(), postings: 0 }
}

/** What is unpacked of a segment. */
export function openDecodedPart({ parts }: Decoded, segment: number): DecodedPart {
  const known = parts.get(segment)
  if (known !== undefined) return known
  const part = { directory: undefined, lists: new Map(), cells: new Map(), bytes: new Map() }
  parts.set(segment, part)
  return part
}

/** Postings kept unpacked between searches, at most: 40 MB. */
const KEPT_POSTINGS_MAX = 8_000_000

/** Keeps a list of a segment. With too many all that were kept before go. */
export function keepList(decoded: Decoded, segment: number, kept: { term: string; list: Postings | undefined }): void {
  decoded.postings += 1 + (kept.list?.documents.length ?? 0)
  if (decoded.postings > KEPT_POSTINGS_MAX) {
    for (const { lists } of decoded.parts.values()) lists.clear()
    decoded.postings = 1 + (kept.list?.documents.length ?? 0)
  }
  openDecodedPart(decoded, segment).lists.set(kept.term, kept.list)
}

/** Forgets all but what is of the first segments, which are these. */
export function keepDecoded(decoded: Decoded, segments: readonly SegmentRow[]): void {
  const documents = segments.reduce((sum, row) => sum + row.documents, 0)
  for (const [name, column] of decoded.columns) decoded.columns.set(name, column.subarray(0, documents))
  decoded.heads = decoded.heads.subarray(0, documents)
  const kept = new Set(segments.map(({ segment }) => segment))
  for (const segment of decoded.parts.keys()) if (!kept.has(segment)) decoded.parts.delete(segment)
}
