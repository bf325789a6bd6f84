import { expect, test } from 'vitest'
import { MemoryResponse } from '../../src/contract/memory-response.ts'
import { MemoryRecord } from '../../src/contract/snapshot.ts'
import { type AnsweringMemory, buildResponse } from '../../src/search/response.ts'

function answering(name: string, more: Partial<MemoryRecord> = {}, score = 0.5): AnsweringMemory {
  const record = MemoryRecord.parse({
    type: 'memory',
    id: `mem_${Buffer.from(name).toString('hex').padEnd(32, '0')}`,
    at: '2024-05-08T10:00:00.000Z',
    text: `text of ${name}`,
    extractor: 1,
    ...more
  })
  return { record, score }
}

const LIKES = { subject: 'Anna', predicate: 'likes', value: 'tea', rule: 'svo', span: [0, 14], confidence: 0.9 }
const BREW = { kind: 'how_to', statement: 'brew tea', steps: ['boil', 'pour'], rule: 'steps', span: [3, 9] }

test('a bare memory is a source with everything absent as null', () => {
  const response = buildResponse('tea', [answering('a')], { limit: 10 })
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response).toEqual({
    semantics: [],
    procedures: [],
    episodes: [],
    sources: [
      {
        id: answering('a').record.id,
        score: 0.5,
        source_ids: [answering('a').record.id],
        text: 'text of a',
        speaker: null,
        timestamp: '2024-05-08T10:00:00.000Z',
        title: null,
        url: null,
        metadata: {}
      }
    ]
  })
})

test('metadata comes back verbatim; title and url are read from it where they are texts', () => {
  const metadata = { title: 'Notes', url: 7, deep: { list: [1, null, 'x'] } }
  const [source] = buildResponse('x', [answering('a', { metadata, speaker: 'Anna' })], { limit: 1 }).sources
  expect(source).toMatchObject({ metadata, title: 'Notes', url: null, speaker: 'Anna' })
})

test('a memory without a time of its source has no timestamp', () => {
  const [source] = buildResponse('x', [answering('a', { undated: true })], { limit: 1 }).sources
  expect(source?.timestamp).toBeNull()
})

test('what was extracted stands beside its sources, scored by how much of the query it has', () => {
  const memories = [answering('a', { facts: [LIKES], procedures: [BREW] }, 0.8)]
  const response = buildResponse('How does Anna brew tea?', memories, { limit: 10 })
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response.semantics).toMatchObject([
    { subject: 'Anna', value: 'tea', confidence: 0.9, span: [0, 14], valid_to: null }
  ])
  expect(response.procedures).toMatchObject([{ statement: 'brew tea', steps: ['boil', 'pour'] }])
  expect(response.semantics[0]?.score).toBeCloseTo((0.8 * 2) / 3)
})

test('a fact that two memories state is one entry with both sources and the better score', () => {
  const memories = [answering('a', { facts: [LIKES] }, 0.9), answering('b', { facts: [LIKES] }, 0.3)]
  const [first, ...rest] = buildResponse('tea', memories, { limit: 10 }).semantics
  expect(rest).toEqual([])
  expect(first).toMatchObject({ score: 0.9, source_ids: memories.map(({ record }) => record.id) })
})

test('a fact has the same id wherever it is found, and another fact another', () => {
  const idOf = (name: string, fact: object) =>
    buildResponse('tea', [answering(name, { facts: [{ ...LIKES, ...fact }] })], { limit: 1 }).semantics[0]?.id
  expect(idOf('a', {})).toMatch(/^fct_[0-9a-f]{32}$/)
  expect(idOf('b', { span: [1, 2], confidence: 0.1 })).toBe(idOf('a', {}))
  expect(idOf('a', { predicate: 'drinks' })).not.toBe(idOf('a', {}))
})

test('facts that have nothing of the query, or an odd shape, are passed over', () => {
  const facts = [{ ...LIKES, value: 'coffee', subject: 'Bruno' }, { subject: 'tea' }, 'tea', null]
  expect(buildResponse('tea', [answering('a', { facts })], { limit: 10 }).semantics).toEqual([])
})

test('only the groups asked for are filled, each up to the limit', () => {
  const memories = ['a', 'b', 'c'].map((name) => answering(name, { facts: [LIKES] }))
  expect(buildResponse('tea', memories, { limit: 2 }).sources).toHaveLength(2)
  const only = buildResponse('tea', memories, { limit: 2, groups: ['semantics'] })
  expect([only.sources.length, only.semantics.length]).toEqual([0, 1])
})

test('an explanation is handed on where there is one', () => {
  const explanation = {
    cues: [{ name: 'tea', kind: 'term' as const, weight: 1, documents: 1, mentions: 1, part: 0.5 }]
  }
  const [source] = buildResponse('tea', [{ ...answering('a'), explanation }], { limit: 1 }).sources
  expect(source?.explanation).toEqual(explanation)
})
