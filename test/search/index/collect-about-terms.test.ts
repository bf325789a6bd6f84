import { expect, test } from 'vitest'
import { collectAboutTerms, createKeyReader, readKeys } from '../../../src/search/index/collect-about-terms.ts'
import { INDEX_VERSION } from '../../../src/search/index/seal-bytes.ts'

function fact(subject: string, predicate: string, value: string) {
  return { subject, predicate, value, rule: 'given', span: [0, 60] as [number, number] }
}

/**
 * The keys that an index contains for facts. If they change, older indexes give other answers: increase
 * `TABLES_VERSION`.
 */
const RECORDED = {
  version: 11001,
  keys: [
    [fact('Ada Stone', 'lives in', 'Oslo'), ['lives_in|ada stone']],
    [fact('Dr. Ada Stone', 'has moved to', 'Oslo'), ['lives_in|ada stone']],
    [fact("Ada's e-mail", 'is', 'ada@example.org'), ['email|ada']],
    [fact('Ada', 'left', 'Acme'), ['lives_in|ada', 'married_to|ada', 'studies_at|ada', 'works_at|ada']],
    [fact('The meeting', 'was moved to', 'Tuesday'), ['be_day|meeting']],
    [fact('Ada', 'likes', 'tea'), []]
  ]
} as const

test('gives facts the keys recorded for this index version', () => {
  const keysOfFact = createKeyReader()
  expect({ version: INDEX_VERSION, keys: RECORDED.keys.map(([one]) => [one, keysOfFact(one).sort()]) }).toEqual(
    RECORDED
  )
})

test('cuts keys like terms, and limits their number per memory', () => {
  const long = fact('x'.repeat(500), 'lives in', 'Oslo')
  expect(createKeyReader()(long).map((key) => key.length)).toEqual([64])
  const many = Array.from({ length: 2000 }, (_, at) => fact(`Ada ${at}`, 'lives in', 'Oslo'))
  expect(readKeys(many, createKeyReader())).toHaveLength(256)
})

test('keeps the subject and value of a given fact if the text does not contain them literally', () => {
  const facts = [fact('Ada Stone', 'keeps', 'bees'), fact('Stone', 'keeps', 'bees in a garden')]
  expect(collectAboutTerms(facts, 'Stone keeps bees')).toEqual(['ada', 'stone', 'bee', 'garden'])
  expect(collectAboutTerms(facts, 'Ada Stone keeps bees in a garden')).toEqual([])
  expect(collectAboutTerms([fact('Ann', 'knows', 'her')], 'Anna knows her')).toEqual(['ann'])
  expect(collectAboutTerms([fact('it', 'is', 'his')], 'x')).toEqual([])
  expect(collectAboutTerms([{ ...fact('Ada', 'knows', 'Ben'), rule: 'clause.plain' }], 'x')).toEqual([])
})

test('searches a long text for missing names only near their fact', () => {
  const absent = Array.from({ length: 1000 }, (_, at) => fact(`name${at}`, 'is', 'here'))
  const text = 'here it is '.repeat(500_000)
  expect(collectAboutTerms(absent, text)).toHaveLength(256)
  expect(collectAboutTerms([{ ...fact('it', 'is', 'here'), span: [11, 21] }], text)).toEqual([])
})

test('gives no keys to facts with extremely long names', () => {
  const long = 'x '.repeat(1_000_000)
  expect(readKeys([fact(long, 'lives in', 'Oslo'), fact('Ada', long, 'Oslo')], createKeyReader())).toEqual([])
  expect(collectAboutTerms([fact(long, 'lives in', 'Oslo')], 'Oslo')).toEqual(['x'])
})

test('limits the number of terms, however many names there are', () => {
  const many = Array.from({ length: 2000 }, (_, at) => fact(`name${at}`, 'is', `thing${at}`))
  expect(collectAboutTerms(many, '')).toHaveLength(256)
})
