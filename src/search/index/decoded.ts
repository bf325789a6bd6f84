import type { SegmentRow } from './index-store.ts'
import type { ColumnName, NumberColumn } from './number-column.ts'
import type { Postings } from './postings.ts'

/** Decoded parts of an index. Segments are written once, so they stay valid when others are added. */
export type Decoded = {
  /** Cells of the first documents, by column. */
  columns: Map<ColumnName, NumberColumn>
  /** The first four bytes of the first ids, each as a number. */
  heads: Uint32Array
  /** By segment. */
  parts: Map<number, DecodedPart>
  /** Number of postings kept in all parts. */
  postings: number
}

export type DecodedPart = {
  directory: string[] | undefined
  /** By term; undefined if the segment does not contain it. */
  lists: Map<string, Postings | undefined>
  /** By column and chunk. */
  cells: Map<string, Float64Array>
  bytes: Map<string, Uint8Array>
}

/** Creates an empty cache. */
export function createDecoded(): Decoded {
  return { columns: new Map(), heads: new Uint32Array(0), parts: new Map(), postings: 0 }
}

/** Returns the decoded part of a segment, and creates it if missing. */
export function openDecodedPart({ parts }: Decoded, segment: number): DecodedPart {
  const known = parts.get(segment)
  if (known !== undefined) return known
  const part = { directory: undefined, lists: new Map(), cells: new Map(), bytes: new Map() }
  parts.set(segment, part)
  return part
}

/** Maximum number of decoded postings kept between searches: 40 MB. */
const KEPT_POSTINGS_MAX = 8_000_000

/** Keeps a list of a segment. Above the limit, all earlier lists are dropped. */
export function keepList(decoded: Decoded, segment: number, kept: { term: string; list: Postings | undefined }): void {
  decoded.postings += 1 + (kept.list?.documents.length ?? 0)
  if (decoded.postings > KEPT_POSTINGS_MAX) {
    for (const { lists } of decoded.parts.values()) lists.clear()
    decoded.postings = 1 + (kept.list?.documents.length ?? 0)
  }
  openDecodedPart(decoded, segment).lists.set(kept.term, kept.list)
}

/** Drops everything except the parts of the given first segments. */
export function keepDecoded(decoded: Decoded, segments: readonly SegmentRow[]): void {
  const documents = segments.reduce((sum, row) => sum + row.documents, 0)
  for (const [name, column] of decoded.columns) decoded.columns.set(name, column.subarray(0, documents))
  decoded.heads = decoded.heads.subarray(0, documents)
  const kept = new Set(segments.map(({ segment }) => segment))
  for (const segment of decoded.parts.keys()) if (!kept.has(segment)) decoded.parts.delete(segment)
}
