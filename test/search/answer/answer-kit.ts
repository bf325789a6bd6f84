import { GROUPS } from '../../../src/contract/groups.ts'
import type { MemoryResponse } from '../../../src/contract/memory-response.ts'
import { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { readEvents, readFacts, readProcedures } from '../../../src/memory/extracted.ts'
import { answerQuery, type SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import { listKinds, listSources } from '../../../src/search/index/filter-terms.ts'
import { createIndex, type SearchIndex } from '../../../src/search/search-index.ts'
import { assets, hashOf } from '../make-memories.ts'

/** Creates a memory whose id is derived from `name`. */
export function record(name: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  return MemoryRecord.parse({
    type: 'memory',
    id: idOf(name),
    at: '2024-05-08T10:00:00.000Z',
    text: `text of ${name}`,
    extractor: 1,
    ...more
  })
}

export function idOf(name: string): string {
  return `mem_${Buffer.from(hashOf(`id ${name}`))
    .toString('hex')
    .slice(0, 32)}`
}

/** Creates a fact as an extractor would; the span does not matter here. */
export function fact([subject, predicate, value]: Triple, more: object = {}) {
  return { subject, predicate, value, rule: 'clause.subject-verb', span: [0, 4], confidence: 0.9, ...more }
}

export type Triple = [subject: string, predicate: string, value: string]

/** Creates a memory that states one fact literally, in May of a year. */
export function statement(year: number, triple: Triple, more: Partial<MemoryRecord> = {}) {
  return record(`${year} ${triple.join(' ')}`, {
    at: `${year}-05-01T00:00:00.000Z`,
    text: `${triple.join(' ')}.`,
    facts: [fact(triple)],
    ...more
  })
}

export type Asking = (query: string, more?: Partial<SearchQuestion>) => MemoryResponse

/** Indexes memories for queries; the nth is at byte 1000 n. `reads` counts those that were read for the last answer. */
export async function asking(records: readonly MemoryRecord[]): Promise<{ ask: Asking; reads: () => number }> {
  const index = await indexOf(records)
  let reads = new Set<number>()
  return {
    reads: () => reads.size,
    ask(query, more = {}) {
      reads = new Set()
      const read = ({ offset }: { offset: number }): MemoryRecord | undefined => {
        reads.add(offset)
        return records[offset / 1000]
      }
      return answerQuery({ query, limit: 10, groups: GROUPS, ...more }, { inquire: index.inquire, read }).response
    }
  }
}

async function indexOf(records: readonly MemoryRecord[]): Promise<SearchIndex> {
  const index = await createIndex(assets)
  for (const [place, one] of records.entries()) {
    index.add({
      id: Buffer.from(one.id.slice(4), 'hex'),
      text: one.text,
      speaker: one.speaker,
      conversation: one.conversation,
      at: Date.parse(one.at),
      undated: one.undated,
      position: one.position,
      offset: place * 1000,
      length: 1000,
      extractor: one.extractor,
      check: hashOf(one.id),
      facts: readFacts(one),
      events: readEvents(one),
      supersedes: one.supersedes?.map(String),
      sources: listSources(one.metadata),
      kinds: listKinds({ facts: one.facts, events: one.events, procedures: readProcedures(one) })
    })
  }
  index.commit()
  return index
}
