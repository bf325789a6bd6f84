import { expect, test } from 'vitest'
import type { MemoryFilter } from '../../../src/search/rank/memory-filter.ts'
import { type Asking, asking, fact, idOf, record, statement } from './answer-kit.ts'

const ADA = statement(2020, ['Ada', 'drinks', 'tea'], { speaker: 'Ada Byron', conversation: 'Team room' })
const BEN = record('Ben', {
  at: '2022-05-01T00:00:00.000Z',
  text: 'Ben likes tea.',
  speaker: 'Ben',
  procedures: [{ kind: 'preference', statement: 'Ben likes tea', rule: 'want', span: [0, 9] }],
  metadata: { source: { format: 'markdown', path: 'notes/work/tea.md' } }
})
const MAIL = record('mail', {
  at: '2024-05-01T00:00:00.000Z',
  text: 'The tea was delivered.',
  events: [{ statement: 'tea was delivered', rule: 'event', span: [0, 9], started_at: '2021-01-01T00:00:00.000Z' }],
  metadata: { source: 'mailbox' }
})

const found = (ask: Asking, filter: MemoryFilter): string[] =>
  ask('tea', { filter })
    .sources.map(({ text }) => text)
    .sort()

test.each<[MemoryFilter, string[]]>([
  [{ speaker: 'ada' }, [ADA.text]],
  [{ speaker: 'byron ADA' }, [ADA.text]],
  [{ speaker: 'Ada Lovelace' }, []],
  [{ speaker: '…' }, []],
  [{ conversation: 'team ROOM' }, [ADA.text]],
  [{ conversation: 'team' }, []],
  [{ source: 'mailbox' }, [MAIL.text]],
  [{ source: 'Markdown' }, [BEN.text]],
  [{ source: 'notes' }, [BEN.text]],
  [{ source: 'notes/work/tea.md' }, [BEN.text]],
  [{ source: 'work' }, []],
  [{ kind: 'fact' }, [ADA.text]],
  [{ kind: 'preference' }, [BEN.text]],
  [{ kind: 'event' }, [MAIL.text]],
  [{ since: Date.UTC(2022, 4, 1) }, [BEN.text, MAIL.text]],
  [{ until: Date.UTC(2022, 4, 1) }, [ADA.text]],
  [{ knownAt: Date.UTC(2022, 4, 1) }, [ADA.text, BEN.text]],
  [{ since: Date.UTC(2021), until: Date.UTC(2023), speaker: 'Ben' }, [BEN.text]],
  [{ since: Date.UTC(2023), speaker: 'Ben' }, []]
])('finds only the memories that pass the filter %o', async (filter, texts) => {
  const { ask } = await asking([ADA, BEN, MAIL])
  expect(found(ask, filter)).toEqual([...texts].sort())
})

test('returns facts of the memories that pass the filter, with the period that all memories give them', async () => {
  const { ask } = await asking([
    statement(2020, ['Ada', 'lives in', 'Lisbon'], { speaker: 'Ada' }),
    statement(2022, ['Ada', 'lives in', 'Porto'], { speaker: 'Ben' })
  ])
  const { semantics } = ask('When did Ada live in Lisbon?', { filter: { speaker: 'Ada' } })
  expect(semantics).toMatchObject([{ value: 'Lisbon', valid_to: '2022-05-01T00:00:00.000Z' }])
})

test('answers what held at a time as known today, also from a memory that is later', async () => {
  const page = record('page', {
    at: '2024-03-01T00:00:00.000Z',
    text: 'The office was in Graz since 2019.',
    facts: [fact(['office', 'was in', 'Graz since 2019'])]
  })
  const talk = record('talk', { at: '2024-03-02T00:00:00.000Z', text: 'The office is nice.' })
  const { ask } = await asking([page, talk])
  const texts = (asOf: string): string[] => ask('office', { asOf }).sources.map(({ text }) => text)
  expect(texts('2020-01-01T00:00:00.000Z')).toEqual([page.text])
  expect(texts('2018-01-01T00:00:00.000Z')).toEqual([])
  expect(texts('2024-03-05T00:00:00.000Z').sort()).toEqual([talk.text, page.text].sort())
  const known = ask('office', { asOf: '2020-01-01T00:00:00.000Z', filter: { knownAt: Date.UTC(2023) } })
  expect(known.sources).toEqual([])
})

const OLD = statement(2020, ['gate', 'has code', '7714'])
const NEW = record('new', {
  at: '2021-01-01T00:00:00.000Z',
  text: 'The gate has code 4417.',
  facts: [fact(['gate', 'has code', '4417'])],
  supersedes: [OLD.id]
})

test('leaves out a memory that another one supersedes, and its facts', async () => {
  const { ask } = await asking([OLD, NEW])
  const { sources, semantics } = ask('gate code')
  expect(sources.map(({ text }) => text)).toEqual([NEW.text])
  expect(semantics.map(({ value }) => value)).toEqual(['4417'])
})

test('returns the superseded memory for the time before, and marked where the query asks about time', async () => {
  const { ask } = await asking([OLD, NEW])
  expect(ask('gate code', { asOf: '2020-06-01T00:00:00.000Z' }).sources).toMatchObject([{ text: OLD.text }])
  expect(ask('What was the gate code before?').sources).toContainEqual(
    expect.objectContaining({ text: OLD.text, superseded_by: idOf('new'), superseded_at: NEW.at })
  )
  expect(ask('gate code', { filter: { knownAt: Date.UTC(2020, 6) } }).sources).toMatchObject([{ text: OLD.text }])
})

test('lets a fact hold on that the superseding memory repeats', async () => {
  const before = record('before', {
    at: '2020-05-01T00:00:00.000Z',
    text: 'Ada lives in Lisbon. Ada works at Acme.',
    facts: [fact(['Ada', 'lives in', 'Lisbon']), fact(['Ada', 'works at', 'Acme'])]
  })
  const after = record('after', {
    at: '2022-05-01T00:00:00.000Z',
    text: 'Ada lives in Lisbon. Ada plays chess.',
    facts: [fact(['Ada', 'lives in', 'Lisbon']), fact(['Ada', 'plays', 'chess'])],
    supersedes: [before.id]
  })
  const { ask } = await asking([before, after])
  expect(ask('Ada').semantics.map(({ value, valid_from }) => [value, valid_from])).toEqual(
    expect.arrayContaining([
      ['Lisbon', before.at],
      ['chess', after.at]
    ])
  )
  expect(ask('Ada Acme').semantics.map(({ value }) => value)).not.toContain('Acme')
})

test('reads facts that came with the text, with their period', async () => {
  const given = record('given', {
    text: 'Ada lived in Rome.',
    given: [
      {
        subject: 'Ada',
        predicate: 'lives in',
        value: 'Rome',
        valid_from: '2010-01-01T00:00:00.000Z',
        valid_to: '2012-01-01T00:00:00.000Z'
      },
      { subject: 'Ada', predicate: 7 },
      'Ada'
    ]
  })
  const { ask } = await asking([given])
  expect(ask('Where did Ada live in 2011?').semantics).toMatchObject([
    { value: 'Rome', valid_from: '2010-01-01T00:00:00.000Z', valid_to: '2012-01-01T00:00:00.000Z' }
  ])
  expect(ask('Where does Ada live').semantics).toEqual([])
  expect(ask('Where does Ada live', { asOf: '2011-06-01T00:00:00.000Z' }).semantics).toMatchObject([{ value: 'Rome' }])
})
