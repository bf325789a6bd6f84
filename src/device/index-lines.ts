import type { EventRecord, FactRecord, MemoryRecord, Metadata } from '../contract/snapshot.ts'
import { eventsOf, factsOf } from '../memory/extracted.ts'
import type { IndexDocument } from '../search/index/index-writer.ts'
import type { SearchIndex } from '../search/index/search-index.ts'
import type { SeenRecord } from '../snapshot/record/record-shape.ts'
import { hasMember, MEMBERS, readMemberString, readMemberText } from '../snapshot/record/record-view.ts'
import { forgottenIn, type IndexCover } from './index-cover.ts'

/** Takes the lines of a snapshot into an index, one after another, so that it holds the winners that are not forgotten. */
export type LineTaker = {
  take(seen: SeenRecord): void
  /** Targets forgotten so far, hex of 16 bytes each. */
  readonly forgotten: ReadonlySet<string>
  readonly lastTwist: number
}

/** A taker for an index that covers what `from` says. */
export function createLineTaker(index: SearchIndex, from: Pick<IndexCover, 'forgotten' | 'lastTwist'>): LineTaker {
  const forgotten = forgottenIn(from)
  let lastTwist = from.lastTwist
  /** Ids that this taker put in itself are looked up in the index too: an index finds what was just added. */
  const takeMemory = (seen: SeenRecord): void => {
    const document = documentOf(seen)
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

/** What decides between lines of one id. Of a check the first bytes will do. */
type Ranked = { extractor: number; at: number; check: Uint8Array }

/** The line with the highest extractor wins, then the earliest, then the one with the smallest check. */
export function winsOver(line: Ranked, known: Ranked): boolean {
  if (line.extractor !== known.extractor) return line.extractor > known.extractor
  if (line.at !== known.at) return line.at < known.at
  return Buffer.compare(line.check.subarray(0, known.check.length), known.check) < 0
}

/** A memory's line as the index takes it in. */
export function documentOf({ view, id, check, offset, length, extractor, position }: SeenRecord): IndexDocument {
  return {
    id: Buffer.from(id.slice(4), 'hex'),
    text: readMemberString(view, MEMBERS.text) ?? '',
    title: titleIn(readMemberText(view, MEMBERS.metadata)),
    speaker: readMemberString(view, MEMBERS.speaker),
    conversation: readMemberString(view, MEMBERS.conversation),
    at: Date.parse(readMemberString(view, MEMBERS.at) ?? ''),
    undated: hasMember(view, MEMBERS.undated),
    position,
    offset,
    length,
    extractor,
    check: Buffer.from(check, 'hex'),
    facts: factsIn(readMemberText(view, MEMBERS.facts)),
    events: eventsIn(readMemberText(view, MEMBERS.events))
  }
}

function titleIn(metadata: string | undefined): string | undefined {
  if (metadata === undefined || !metadata.includes('"title"')) return undefined
  const { title } = JSON.parse(metadata) as Metadata
  return typeof title === 'string' ? title : undefined
}

function eventsIn(events: string | undefined): EventRecord[] | undefined {
  return events === undefined ? undefined : eventsOf({ events: JSON.parse(events) as MemoryRecord['events'] })
}

function factsIn(facts: string | undefined): FactRecord[] | undefined {
  return facts === undefined ? undefined : factsOf({ facts: JSON.parse(facts) as MemoryRecord['facts'] })
}
