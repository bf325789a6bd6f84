import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { type Asking, asking, fact, idOf, record, statement, type Triple } from './answer-kit.ts'

const SISTER = statement(2022, ['Ada', 'has sister', 'Eva'])
const PORTO = statement(2023, ['Eva', 'lives in', 'Porto'])

/** Other turns that contain most words of the questions, so that the answers are not the only matches. */
const TALK = ['The sister ship lives in our memory', 'Ada likes to live well', 'The company picnic was fun'].flatMap(
  (text) => [1, 2, 3].map((time) => record(`${text} ${time}`, { text: `${text}, ${time} of 3.` }))
)

function triples(ask: Asking, query: string, asOf?: string): string[] {
  return ask(query, { asOf }).semantics.map(({ subject, predicate, value }) => `${subject} ${predicate} ${value}`)
}

async function first(records: readonly MemoryRecord[], query: string, asOf?: string): Promise<string | undefined> {
  return triples((await asking(records)).ask, query, asOf)[0]
}

test('answers a question that needs two facts with the second, whose sources are the memories of both', async () => {
  const { ask } = await asking([...TALK, SISTER, PORTO])
  const [entry] = ask('Where does Ada’s sister live?', { explain: true }).semantics
  expect(entry).toMatchObject({ subject: 'Eva', value: 'Porto', source_ids: [PORTO.id, SISTER.id] })
  expect(entry?.score).toBeGreaterThan(0)
  expect(entry?.score).toBeLessThanOrEqual(1)
  expect(entry?.explanation?.path).toMatchObject([
    { subject: 'Ada', predicate: 'has sister', value: 'Eva', source_ids: [SISTER.id] },
    { subject: 'Eva', predicate: 'lives in', value: 'Porto', source_ids: [PORTO.id] }
  ])
})

test.each<[query: string, one: Triple, other: Triple]>([
  [
    'Who wrote the book that Ben is reading?',
    ['Ben', 'is reading', 'The Grey Tide'],
    ['Mo Lin', 'wrote', 'The Grey Tide']
  ],
  ['What does the company Ada works at make?', ['Ada', 'works at', 'Northwind'], ['Northwind', 'makes', 'printers']],
  ['Where was the wife of Tom born?', ['Tom', 'married', 'Nina'], ['Nina', 'was born in', 'Graz']],
  ['What does the boss of Ada play?', ['Ada’s boss', 'is', 'Mr. Tanner'], ['Tanner', 'plays', 'chess']],
  ['What did Ada’s sister bake?', ['Ada’s sister Eva', 'rides', 'horses'], ['Eva', 'baked', 'a rye loaf']],
  ['Where does Ada’s uncle work?', ['Ada', 'has uncle', 'Robert Hill'], ['Robert', 'works at', 'Fabrikam']]
])('joins two facts: %s', async (query, one, other) => {
  expect(await first([...TALK, statement(2022, one), statement(2022, other)], query)).toBe(other.join(' '))
})

test('finds the second fact even if its memory has no word of the question', async () => {
  const settled = record('settled', { text: 'It is lovely by the sea.', facts: [fact(['Eva', 'moved to', 'Porto'])] })
  const fillers = Array.from({ length: 80 }, (_, at) =>
    record(`filler ${at}`, { text: `Ada has a sister and they live well, day ${at}` })
  )
  const { ask, reads } = await asking([SISTER, ...fillers, settled])
  expect(triples(ask, 'Where does Ada’s sister live?')[0]).toBe('Eva moved to Porto')
  expect(reads()).toBeLessThan(200)
})

test('joins nothing if a single fact covers as much', async () => {
  const direct = statement(2023, ['Ada’s sister', 'lives in', 'Faro'])
  const { semantics } = (await asking([SISTER, PORTO, direct])).ask('Where does Ada’s sister live?', { explain: true })
  expect(semantics[0]).toMatchObject({ value: 'Faro', source_ids: [direct.id] })
  expect(semantics.filter(({ explanation }) => explanation?.path !== undefined)).toEqual([])
})

test('does not join facts that ended, are denied or are hypothetical', async () => {
  const boss = (year: number, name: string): MemoryRecord => statement(year, ['Ada', 'works at', name])
  const makes = [statement(2020, ['Northwind', 'makes', 'kites']), statement(2020, ['Fabrikam', 'makes', 'bells'])]
  const query = 'What does the company Ada works at make?'
  expect(await first([boss(2021, 'Northwind'), boss(2023, 'Fabrikam'), ...makes], query)).toBe('Fabrikam makes bells')
  expect(await joinsOf([boss(2021, 'Northwind'), boss(2023, 'Fabrikam'), ...makes], query)).toEqual(['bells'])
  for (const more of [{ negated: true }, { modality: 'possible' }]) {
    const unsure = record('unsure', {
      text: 'Ada works at Northwind',
      facts: [fact(['Ada', 'works at', 'Northwind'], more)]
    })
    expect(await joinsOf([unsure, ...makes], query)).toEqual([])
  }
})

test('joins the facts that held at as_of', async () => {
  const records = [
    SISTER,
    statement(2021, ['Eva', 'lives in', 'Oslo']),
    PORTO,
    statement(2022, ['Ada', 'works at', 'Northwind'])
  ]
  expect(await first(records, 'Where does Ada’s sister live?', '2022-12-01T00:00:00.000Z')).toBe('Eva lives in Oslo')
  expect(await first(records, 'Where does Ada’s sister live?', '2024-01-01T00:00:00.000Z')).toBe('Eva lives in Porto')
  expect(await joinsOf(records, 'Where does Ada’s sister live?', '2021-12-01T00:00:00.000Z')).toEqual([])
})

test('returns the answers for both people if the name is ambiguous', async () => {
  const records = [
    SISTER,
    PORTO,
    statement(2022, ['Ada', 'has sister', 'Mia']),
    statement(2022, ['Mia', 'lives in', 'Turin'])
  ]
  expect((await joinsOf(records, 'Where does Ada’s sister live?')).sort()).toEqual(['Porto', 'Turin'])
})

test('rejects joined facts that lead back to their start', async () => {
  const back = statement(2023, ['Eva', 'lives with', 'Ada'])
  expect(await joinsOf([SISTER, back], 'Where does Ada’s sister live?')).toEqual([])
})

test('joins no facts through a pronoun', async () => {
  const they = [fact(['Ada', 'has sister', 'She']), fact(['She', 'lives in', 'Porto'])]
  expect(
    await joinsOf([record('they', { text: 'She lives there', facts: they })], 'Where does Ada’s sister live?')
  ).toEqual([])
})

test('gives the same joins in any order of memories, and none without one of the two', async () => {
  const records = [...TALK, SISTER, PORTO, statement(2021, ['Ada', 'lives in', 'Oslo'])]
  const query = 'Where does Ada’s sister live?'
  const told = (await asking(records)).ask(query, { explain: true }).semantics
  expect((await asking([...records].reverse())).ask(query, { explain: true }).semantics).toEqual(told)
  for (const forgotten of [SISTER, PORTO]) {
    const rest = (await asking(records.filter((one) => one !== forgotten))).ask(query, { explain: true }).semantics
    expect(rest.filter(({ explanation }) => explanation?.path !== undefined)).toEqual([])
    expect(JSON.stringify(rest)).not.toContain(forgotten.id)
  }
})

async function joinsOf(records: readonly MemoryRecord[], query: string, asOf?: string): Promise<string[]> {
  const { semantics } = (await asking(records)).ask(query, { asOf, explain: true })
  return semantics.filter(({ explanation }) => explanation?.path !== undefined).map(({ value }) => value)
}

test('finds a fact about a named subject even if many memories match the words better', async () => {
  const chatter = Array.from({ length: 120 }, (_, at) =>
    record(`chatter ${at}`, { text: `Where does Ada work, at home? Work, work, Ada, ${at}` })
  )
  const hired = record('hired', {
    text: 'They said yes on Monday, at last.',
    facts: [fact(['Ada', 'joined', 'Northwind'])]
  })
  const { ask, reads } = await asking([...chatter, statement(2020, ['Ada', 'likes', 'tea']), hired])
  expect(ask('Where does Ada work?').semantics[0]).toMatchObject({ value: 'Northwind', source_ids: [idOf('hired')] })
  expect(reads()).toBeLessThan(150)
})
