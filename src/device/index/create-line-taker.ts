import type { MemoryRecord, Metadata } from '../../contract/snapshot.ts'
import { type ReadFact, readEvents, readFacts, readProcedures } from '../../memory/extracted.ts'
import { listKinds, listSources } from '../../search/index/filter-terms.ts'
import type { IndexDocument } from '../../search/index/index-writer.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { createHashingSource } from '../../snapshot/block-proof.ts'
import { BLOCK_BYTES } from '../../snapshot/file/limits.ts'
import type { Source } from '../../snapshot/file/source.ts'
import { type Form, readSnapshot } from '../../snapshot/read-snapshot.ts'
import type { SeenRecord } from '../../snapshot/record/check-record-shape.ts'
import {
  hasMember,
  MEMBERS,
  type Member,
  type RecordView,
  readMemberString,
  readMemberText
} from '../../snapshot/record/record-view.ts'
import { type IndexCover, readForgottenIds } from './index-cover.ts'

/** Adds the lines of a snapshot to an index, one by one, so that it contains the winners that are not forgotten. */
type LineTaker = {
  take(seen: SeenRecord): void
  /** Targets forgotten so far, as hex of 16 bytes each. */
  readonly forgotten: ReadonlySet<string>
  readonly lastTwist: number
}

/** Creates a taker for an index with the cover `from`. */
export function createLineTaker(index: SearchIndex, from: Pick<IndexCover, 'forgotten' | 'lastTwist'>): LineTaker {
  const forgotten = readForgottenIds(from)
  let lastTwist = from.lastTwist
  /** Ids added by this taker are found too, because an index finds additions that are not committed. */
  const takeMemory = (seen: SeenRecord): void => {
    const document = toIndexDocument(seen)
    if (forgotten.size > 0 && forgotten.has(Buffer.from(document.id).toString('hex'))) return
    const known = index.find(document.id)
    if (known !== undefined) {
      lastTwist = seen.offset
      if (!winsOver(document, known)) return
    }
    index.add(document)
  }
  const takeForget = (seen: SeenRecord): void => {
    const target = seen.id.slice(4)
    lastTwist = seen.offset
    forgotten.add(target)
    index.remove(Buffer.from(target, 'hex'))
  }
  return {
    forgotten,
    get lastTwist() {
      return lastTwist
    },
    take(seen) {
      if (seen.kind === 'memory') takeMemory(seen)
      else if (seen.kind === 'forget') takeForget(seen)
    }
  }
}

/** The values that decide between lines of one id. The first bytes of a check suffice. */
type Ranked = { extractor: number; at: number; check: Uint8Array }

/** Checks whether a line wins: the highest extractor, then the earliest time, then the smallest check. */
export function winsOver(line: Ranked, known: Ranked): boolean {
  if (line.extractor !== known.extractor) return line.extractor > known.extractor
  if (line.at !== known.at) return line.at < known.at
  return Buffer.compare(line.check.subarray(0, known.check.length), known.check) < 0
}

/** Builds the document that the index stores for a memory's line. */
export function toIndexDocument({ view, id, check, offset, length, extractor, position }: SeenRecord): IndexDocument {
  const text = readMemberString(view, MEMBERS.text) ?? ''
  const metadata = readMetadata(view)
  const facts = parseFacts(view, text)
  const events = parseList(view, MEMBERS.events, (events) => readEvents({ events }))
  const procedures = parseList(view, MEMBERS.procedures, (procedures) => readProcedures({ procedures }))
  return {
    id: Buffer.from(id.slice(4), 'hex'),
    text,
    title: typeof metadata?.title === 'string' ? metadata.title : undefined,
    speaker: readMemberString(view, MEMBERS.speaker),
    conversation: readMemberString(view, MEMBERS.conversation),
    at: Date.parse(readMemberString(view, MEMBERS.at) ?? ''),
    undated: hasMember(view, MEMBERS.undated),
    position,
    offset,
    length,
    extractor,
    check: Buffer.from(check, 'hex'),
    facts,
    events,
    sources: listSources(metadata),
    kinds: listKinds({ facts, events, procedures }),
    supersedes: parseList(view, MEMBERS.supersedes, (ids) => ids.filter((one) => typeof one === 'string'))
  }
}

/** Metadata without a name that the index reads is not parsed. */
function readMetadata(view: RecordView): Metadata | undefined {
  const text = readMemberText(view, MEMBERS.metadata)
  return text !== undefined && READ_NAMES.test(text) ? (JSON.parse(text) as Metadata) : undefined
}

const READ_NAMES = /"(?:title|source|origin)"/

function parseFacts(view: RecordView, text: string): ReadFact[] | undefined {
  const facts = parseList(view, MEMBERS.facts, (list) => list)
  const given = parseList(view, MEMBERS.given, (list) => list)
  return facts === undefined && given === undefined ? undefined : readFacts({ facts, given, text })
}

type ListedEntries = NonNullable<MemoryRecord['facts']>

function parseList<T>(view: RecordView, member: Member, read: (list: ListedEntries) => T): T | undefined {
  const text = readMemberText(view, member)
  return text === undefined ? undefined : read(JSON.parse(text) as ListedEntries)
}

/** The lines of a file that end in LF, or a whole file in object form. */
export type WholeLines = Source & { form: Form }

/**
 * Limits a source to its complete lines. The next writer may truncate or complete what follows, so no index covers it.
 */
export function limitToWholeLines(source: Source, form: Form): WholeLines {
  const size = form === 'json' ? source.facts.size : findAfterLastLf(source)
  return { ...source, facts: { ...source.facts, size }, form }
}

type Taken = {
  cover: IndexCover
  /**
   * The covered bytes are unchanged, and everything after them was read consistently. Otherwise the index is good for
   * one search at most.
   */
  isProven: boolean
}

/** Adds the lines after those that the index covers. */
export function takeLines(lines: WholeLines, index: SearchIndex, cover: IndexCover): Taken {
  const hashing = createHashingSource(lines, cover.proof)
  const taker = createLineTaker(index, cover)
  const reading = readSnapshot(hashing.source, taker.take, locateAfter(cover))
  const proof = hashing.proofTo(lines.facts.size)
  const next: IndexCover = {
    ...cover,
    proof: proof ?? cover.proof,
    nextLine: cover.nextLine + reading.lines,
    damaged: [...cover.damaged, ...reading.damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))],
    forgotten: [...taker.forgotten].join(''),
    lastTwist: taker.lastTwist
  }
  return { cover: next, isProven: proof !== undefined }
}

/**
 * Adds a valid line without an LF, and returns the ids in it; undefined if there is none. Afterwards the index contains
 * more than its cover, so it must neither be saved nor used for another state of the file.
 */
export function takeTail(source: Source, index: SearchIndex, cover: IndexCover): string[] | undefined {
  if (cover.form === 'json' || source.facts.size <= cover.proof.end) return undefined
  const taker = createLineTaker(index, cover)
  const ids: string[] = []
  const visit = (seen: SeenRecord): void => {
    ids.push(seen.id)
    taker.take(seen)
  }
  return readSnapshot(source, visit, locateAfter(cover)).tail?.sound ? ids : undefined
}

function locateAfter({ form, proof, nextLine }: IndexCover): { form: Form; offset: number; number: number } {
  return { form, offset: proof.end, number: nextLine }
}

/** Reads backwards. For a complete file this costs one byte, whatever its size. */
function findAfterLastLf(source: Source): number {
  const { size } = source.facts
  let step = 1
  for (let end = size; end > 0; end -= step) {
    step = Math.min(end, end === size ? 1 : BLOCK_BYTES)
    const block = Buffer.allocUnsafe(step)
    const lf = block.subarray(0, source.read(block, end - step)).lastIndexOf(0x0a)
    if (lf >= 0) return end - step + lf + 1
  }
  return 0
}
