import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventRecord } from '../../../src/contract/snapshot.ts'
import { EVENTS_MAX } from '../../../src/memory/events/find-events.ts'
import { eventsIn } from './events-in.ts'

const RUNS = process.env.SLOW ? 3_000 : 70

const WORDS = [
  ...[
    'I',
    'we',
    'Bo',
    'moved',
    'adopted',
    'will',
    "won't",
    'have',
    'been',
    'yesterday',
    'every',
    'Tuesday',
    'since',
    '2016'
  ],
  ...[
    'and',
    'but',
    'when',
    'if',
    'to',
    'the',
    'boat',
    'next',
    'week',
    ',',
    '.',
    '?',
    '"',
    '(',
    "I'm",
    'my',
    '💥',
    '\n',
    '-',
    ':'
  ]
]

const texts = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 120 })
)

test('returns valid records with spans inside the text for any text', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(undefined, '2024-02-29T23:59:59.999Z'), (text, at) => {
      for (const event of eventsIn(text, { at })) {
        expect(EventRecord.safeParse(event).error).toBeUndefined()
        const [start, end] = event.span
        expect(start).toBeLessThan(end)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(event.statement.isWellFormed()).toBe(text.isWellFormed() || event.statement.isWellFormed())
      }
    }),
    { numRuns: RUNS }
  )
})

test('limits the number of events of one text', () => {
  expect(eventsIn('I sold a boat yesterday. '.repeat(200))).toHaveLength(EVENTS_MAX)
})

test('cuts a statement as long as a page between two characters', () => {
  const [event] = eventsIn(`I sold ${'💥'.repeat(400)} yesterday`)
  expect(event?.statement.length).toBeLessThanOrEqual(302)
  expect(event?.statement.isWellFormed()).toBe(true)
})

test.each([
  ['one sentence without an end', 'and then I sold it in May '.repeat(4_000)],
  ['open brackets', `${'('.repeat(10_000)} yesterday ${')'.repeat(10_000)}`],
  ['times alone', 'yesterday '.repeat(10_000)],
  ['one word', 'a'.repeat(100_000)]
])('reads hostile text to its end: %s', (_what, text) => {
  expect(eventsIn(text).length).toBeLessThanOrEqual(EVENTS_MAX)
})
