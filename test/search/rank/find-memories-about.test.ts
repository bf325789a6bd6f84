import { expect, test } from 'vitest'
import { createIndex, type SearchIndex } from '../../../src/search/search-index.ts'
import { assets, hashOf } from '../make-memories.ts'

type Told = { text: string; about?: string; year?: number }

async function indexOf(memories: readonly Told[]): Promise<SearchIndex> {
  const index = await createIndex(assets)
  memories.forEach(({ text, about, year = 2024 }, number) => {
    const hash = hashOf(`${text} ${number}`)
    const facts =
      about === undefined
        ? []
        : [{ subject: about, predicate: 'does', value: 'it', rule: 'r', span: [0, 1] as [number, number] }]
    const place = { offset: number, length: 1, extractor: 1, at: Date.UTC(year, 0), facts }
    index.add({ id: hash.subarray(0, 16), check: hash, text, ...place })
  })
  return index
}

const MEMORIES: Told[] = [
  { text: 'She lives by the sea', about: 'Eva Hill', year: 2020 },
  { text: 'She lives and works by the sea', about: 'Eva Hill', year: 2019 },
  { text: 'She lives inland now', about: 'Eva Hill', year: 2022 },
  { text: 'Eva lives alone', year: 2018 },
  { text: 'She lives here', about: 'Mia Hill', year: 2023 },
  { text: 'She sings', about: 'Eva Hill', year: 2023 }
]

function numbers(
  index: SearchIndex,
  asked: { name: string[]; saying: string[]; as: 'subject' | 'anything' },
  more = {}
) {
  const { limit = 10, until } = more as { limit?: number; until?: number }
  return index
    .inquire('x', { limit: 1, filter: { knownAt: until } })
    .about(asked, limit)
    .map(({ offset }) => offset)
}

test('orders memories about a name by the number of requested terms, then newest first', async () => {
  const index = await indexOf(MEMORIES)
  const asked = { name: ['eva', 'hill'], saying: ['live', 'work'], as: 'subject' as const }
  expect(numbers(index, asked)).toEqual([1, 2, 0])
  expect(numbers(index, asked, { limit: 2 })).toEqual([1, 2])
  expect(numbers(index, asked, { until: Date.UTC(2021, 0) })).toEqual([1, 0])
})

test('counts a name in the text if any mention is accepted', async () => {
  const index = await indexOf(MEMORIES)
  expect(numbers(index, { name: ['eva'], saying: ['live'], as: 'anything' })).toEqual([2, 0, 1, 3])
  expect(numbers(index, { name: ['eva'], saying: ['live'], as: 'subject' })).toEqual([2, 0, 1])
  expect(numbers(index, { name: ['bob'], saying: ['live'], as: 'anything' })).toEqual([])
  expect(numbers(index, { name: ['eva'], saying: [], as: 'anything' })).toEqual([])
  expect(numbers(index, { name: [], saying: ['live'], as: 'anything' })).toEqual([])
})

test('searches by the rarest terms if very many memories have the name', async () => {
  const many = Array.from({ length: 3200 }, (_, at) => ({ text: `Day ${at}: Eva lives`, about: 'Eva' }))
  const index = await indexOf([...many, { text: 'Eva lives and whistles', about: 'Eva' }])
  expect(numbers(index, { name: ['eva'], saying: ['live', 'whistl'], as: 'subject' })).toEqual([3200])
})
