import { expect, test } from 'vitest'
import { collectAboutTerms, createKeyReader, readKeys } from '../../../src/search/index/collect-about-terms.ts'
import { INDEX_VERSION } from '../../../src/search/index/seal-bytes.ts'

function fact(subject: string, predicate: string, value: string) {
  return { subject, predicate, value, rule: 'clause.plain', span: [0, 60] as [number, number] }
}

/** What an index holds of facts. Should this change, an index made before answers otherwise: raise `TABLES_VERSION`. */
const RECORDED = {
  version: 7001,
  keys: [
    [fact('Ada Stone', 'lives in', 'Oslo'), ['lives_in|ada stone']],
    [fact('Dr. Ada Stone', 'has moved to', 'Oslo'), ['lives_in|ada stone']],
    [fact("Ada's e-mail", 'is', 'ada@example.org'), ['email|ada']],
    [fact('Ada', 'left', 'Acme'), ['lives_in|ada', 'married_to|ada', 'studies_at|ada', 'works_at|ada']],
    [fact('Ada', 'likes', 'tea'), []]
  ]
} as const

test('facts have the keys that are on record for this version of the index', () => {
  const keysOfFact = createKeyReader()
  expect({ version: INDEX_VERSION, keys: RECORDED.keys.map(([one]) => [one, keysOfFact(one).sort()]) }).toEqual(
    RECORDED
  )
})

test('keys are cut as terms are, and a memory has a bounded number of them', () => {
  const long = fact('x'.repeat(500), 'lives in', 'Oslo')
  expect(createKeyReader()(long).map((key) => key.length)).toEqual([64])
  const many = Array.from({ length: 2000 }, (_, at) => fact(`Ada ${at}`, 'lives in', 'Oslo'))
  expect(readKeys(many, createKeyReader())).toHaveLength(256)
})

test('what facts are about is kept where the text does not say it in the same words', () => {
  const facts = [fact('Ada Stone', 'keeps', 'bees'), fact('Stone', 'keeps', 'bees in a garden')]
  expect(collectAboutTerms(facts, 'Stone keeps bees')).toEqual(['ada', 'stone', 'bee', 'garden'])
  expect(collectAboutTerms(facts, 'Ada Stone keeps bees in a garden')).toEqual([])
  expect(collectAboutTerms([fact('Ann', 'knows', 'her')], 'Anna knows her')).toEqual(['ann'])
  expect(collectAboutTerms([fact('it', 'is', 'his')], 'x')).toEqual([])
})

test('names that are nowhere in a long text are looked for only where their fact stands', () => {
  const absent = Array.from({ length: 1000 }, (_, at) => fact(`name${at}`, 'is', 'here'))
  const text = 'here it is '.repeat(500_000)
  expect(collectAboutTerms(absent, text)).toHaveLength(256)
  expect(collectAboutTerms([{ ...fact('it', 'is', 'here'), span: [11, 21] }], text)).toEqual([])
})

test('facts of other programs with endless names have no keys', () => {
  const long = 'x '.repeat(1_000_000)
  expect(readKeys([fact(long, 'lives in', 'Oslo'), fact('Ada', long, 'Oslo')], createKeyReader())).toEqual([])
  expect(collectAboutTerms([fact(long, 'lives in', 'Oslo')], 'Oslo')).toEqual(['x'])
})

test('however many names, a bounded number of terms is kept', () => {
  const many = Array.from({ length: 2000 }, (_, at) => fact(`name${at}`, 'is', `thing${at}`))
  expect(collectAboutTerms(many, '')).toHaveLength(256)
})
