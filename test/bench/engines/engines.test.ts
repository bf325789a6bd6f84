import { beforeAll, expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'

type Analyse = (text: string) => string[]
type Engine = {
  build(documents: object[]): Promise<unknown>
  search(index: unknown, query: string, options: { limit: number }): unknown[]
  numberOf(hit: unknown): number
  bytes(index: unknown): Uint8Array
  open(bytes: Uint8Array): Promise<unknown>
}

const TEXTS = ['We planted apple trees', 'The bridges were closed', 'An apple a day', 'Nothing of the kind']

let documents: object[] = []
let makers: Record<string, (analyse?: Analyse) => Engine> = {}

beforeAll(async () => {
  const load = (file: string) => import(new URL(file, import.meta.url).href)
  const [ours, mini, flex, orama, sqlite, search] = await Promise.all(
    ['./memctl.mjs', './mini-search.mjs', './flex-search.mjs', './orama.mjs', './fts5.mjs', '../load-search.mjs'].map(
      load
    )
  )
  const source = await search.loadSearch()
  makers = {
    memctl: () => ours.memctl(source),
    MiniSearch: mini.miniSearch,
    FlexSearch: flex.flexSearch,
    Orama: orama.orama,
    FTS5: sqlite.fts5
  }
  documents = TEXTS.map((text, n) => {
    const id = new Uint8Array(32).fill(n + 1)
    return ours.numbered({ id: id.subarray(0, 16), check: id, text, speaker: 'Ada', at: n, extractor: 1 }, n)
  })
})

test.each([
  ['memctl', undefined],
  ['MiniSearch', undefined],
  ['FlexSearch', undefined],
  ['Orama', undefined],
  ['MiniSearch', analyse],
  ['FlexSearch', analyse],
  ['Orama', analyse]
])('%s: finds the requested documents by number, when built and when opened from its bytes', async (name, terms) => {
  const engine = makers[name]?.(terms)
  if (engine === undefined) throw new Error(`${name} is no engine`)
  const built = await engine.build(documents)
  for (const index of [built, await engine.open(engine.bytes(built))]) {
    const found = (query: string) => engine.search(index, query, { limit: 10 }).map(engine.numberOf).sort()
    expect(found('apple')).toEqual([0, 2])
    expect(found('closed apple')).toEqual([0, 1, 2])
    expect(found('ada')).toHaveLength(TEXTS.length)
    if (terms !== undefined || name === 'memctl') expect(found('closing of a bridge')).toEqual([1])
    expect(engine.search(index, 'apple', { limit: 1 })).toHaveLength(1)
  }
})

test.each([undefined, analyse])('FTS5: finds the requested documents by number', async (terms) => {
  const engine = makers.FTS5?.(terms)
  if (engine === undefined) throw new Error('FTS5 is missing')
  const index = await engine.build(documents)
  const found = (query: string) => engine.search(index, query, { limit: 10 }).map(engine.numberOf).sort()
  expect(found('apple')).toEqual([0, 2])
  expect(found('closed apple')).toEqual([0, 1, 2])
  expect(found('zebra')).toEqual([])
  expect(engine.search(index, 'apple', { limit: 1 })).toHaveLength(1)
})
