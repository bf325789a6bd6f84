import { expect, test } from 'vitest'
import type { MemoryResponse } from '../../../src/contract/memory-response.ts'
import { asking, fact, idOf, record, statement } from './answer-kit.ts'

const MOVED = [
  statement(2021, ['Ada', 'lives in', 'Oslo']),
  statement(2023, ['Ada', 'moved to', 'Lisbon']),
  statement(2023, ['Bob', 'lives in', 'Oslo'])
]

async function factsOf(query: string, records = MOVED): Promise<MemoryResponse['semantics']> {
  const { ask } = await asking(records)
  return ask(query, { explain: true }).semantics
}

test('explains from which source a fact comes, and where it contains query terms', async () => {
  const [best] = await factsOf('Who lives in Oslo?')
  expect(best?.explanation).toMatchObject({
    ...{ in_subject: [], in_predicate: ['lives'], in_value: ['Oslo'] },
    found_by: { way: 'source', from: idOf('2023 Bob lives in Oslo') },
    sources: [{ id: idOf('2023 Bob lives in Oslo'), rank: 1, score: expect.any(Number) }],
    key: expect.stringContaining('bob')
  })
})

test('explains which value a fact replaced, or which value replaced it', async () => {
  const told = await factsOf('Where did Ada live before?')
  const of = (value: string) => told.find((one) => one.subject === 'Ada' && one.value === value)?.explanation
  expect(of('Lisbon')).toMatchObject({ supersedes: [{ value: 'Oslo', source_ids: [idOf('2021 Ada lives in Oslo')] }] })
  expect(of('Oslo')).toMatchObject({
    supersedes: [],
    superseded_by: [{ value: 'Lisbon', valid_from: '2023-05-01T00:00:00.000Z' }]
  })
})

test('distinguishes terms that a predicate implies from those it contains', async () => {
  const told = await factsOf('Where does Ada live?')
  expect(told.find(({ value }) => value === 'Lisbon')?.explanation).toMatchObject({
    ...{ in_subject: ['Ada'], in_predicate: [], in_meaning: ['live'] }
  })
})

test('explains that a fact outside the sources was looked up by the key of one in the sources', async () => {
  const said = record('told elsewhere', {
    ...{ text: 'Off to Lisbon we went', at: '2023-05-01T00:00:00.000Z' },
    facts: [fact(['Ada', 'moved to', 'Lisbon'])]
  })
  const told = await factsOf('Who lives in Oslo?', [statement(2021, ['Ada', 'lives in', 'Oslo']), said])
  expect(told.find(({ value }) => value === 'Lisbon')?.explanation).toMatchObject({
    found_by: { way: 'key', from: idOf('2021 Ada lives in Oslo') },
    sources: [{ id: idOf('told elsewhere'), rank: null, score: null }]
  })
})

test('returns spans of a fact as positions in the text of its memory', async () => {
  const text = 'It rained. Ada paints boats. Then it stopped.'
  const span: [number, number] = [11, 28]
  const said = record('painter', { text, facts: [fact(['Ada', 'paints', 'boats'], { span })] })
  const [best] = await factsOf('Which boats does Ada paint?', [said])
  const { spans } = (best?.explanation ?? {}) as { spans: { term: string; span: [number, number] }[] }
  expect(spans.map(({ span: [from, to] }) => text.slice(from, to))).toEqual(['Ada', 'paints', 'boats'])
})

test('names the related words that matched a query term', async () => {
  const said = record('trip', { text: 'Ada went home', facts: [fact(['Ada', 'went', 'home'], { span: [0, 13] })] })
  const [best] = await factsOf('When did Ada go home?', [said])
  expect(best?.explanation).toMatchObject({ in_predicate: ['go: went'] })
})

test('explains which terms a procedure has and which ask for its kind, and which turns of an episode were found', async () => {
  const rule = { kind: 'rule', statement: 'Never boil green tea', rule: 'rule.never', span: [0, 20] }
  const turn = (position: number, text: string, more: object = {}) =>
    record(text, { text, conversation: 'c', position, speaker: 'Ada', ...more })
  const { ask } = await asking([
    turn(1, 'Never boil green tea', { procedures: [rule] }),
    turn(2, 'Seventy degrees will do')
  ])
  const { procedures, episodes } = ask('How should green tea be made?', { explain: true })
  expect(procedures[0]?.explanation).toMatchObject({
    ...{ has: ['green', 'tea'], asked_kind: ['should'] },
    sources: [{ id: idOf('Never boil green tea'), rank: 1 }],
    spans: [{ span: [11, 16] }, { span: [17, 20] }]
  })
  expect(episodes[0]?.explanation).toMatchObject({
    sources: [{ id: idOf('Never boil green tea'), rank: 1 }, expect.anything()]
  })
})

test('explains how the text spells the matches of a source, but only on request', async () => {
  const { ask } = await asking(MOVED)
  const [best] = ask('Who lives in Oslo?', { explain: true }).sources
  const { cues } = (best?.explanation ?? {}) as { cues: { asked: string; said: { written?: string }[] }[] }
  expect(cues.map(({ asked, said }) => [asked, said[0]?.written])).toEqual([
    ['lives', 'lives'],
    ['Oslo', 'Oslo']
  ])
  const plain = Object.values(ask('Who lives in Oslo?')).flat()
  expect(plain.some((entry) => 'explanation' in entry)).toBe(false)
})
