import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProcedureRecord } from '../../../src/contract/snapshot.ts'
import { STEPS_MAX } from '../../../src/memory/procedures/find-listed-procedures.ts'
import { PROCEDURES_MAX } from '../../../src/memory/procedures/find-procedures.ts'
import { proceduresIn } from './procedures-in.ts'

const RUNS = process.env.SLOW ? 2_000 : 72

/** Words that rules look for, with possible connecting words. */
const WORDS = [
  ...[
    'I',
    'we',
    'my',
    "I'm",
    'Ada',
    'prefer',
    'love',
    'like',
    "don't",
    'never',
    'always',
    'favourite',
    'is',
    "I'd",
    'rather'
  ],
  ...[
    'if',
    'when',
    'you',
    'must',
    'not',
    'should',
    'be',
    'locked',
    'to',
    'open',
    'press',
    'the',
    'gate',
    'first',
    'then'
  ],
  ...[
    'finally',
    'remember',
    'no',
    'smoking',
    'tea',
    'and',
    'but',
    ',',
    '.',
    ';',
    ':',
    '"',
    '?',
    '!',
    '—',
    '-',
    '…',
    '😀'
  ],
  ...['\n', '\n\n', '\n- ', '\n1. ', '\n2. ', '\nRules:\n', '\nHow to:\n', '\nAnn: ', '\uD83D', '他说', '(', '\u0000']
]
const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 80 }).map((words) => words.join(' '))

test('returns records in text order with spans inside the text', () => {
  fc.assert(
    fc.property(texts, fc.option(fc.constant('Ada Pell'), { nil: undefined }), (text, speaker) => {
      let last = 0
      for (const procedure of proceduresIn(text, { speaker })) {
        const [start, end] = procedure.span
        expect(ProcedureRecord.parse(procedure)).toEqual(procedure)
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(procedure.steps === undefined || procedure.kind === 'how_to').toBe(true)
        last = start
      }
    }),
    { numRuns: RUNS }
  )
})

test('returns the same procedures for the same text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(proceduresIn(text)).toEqual(proceduresIn(text))
    }),
    { numRuns: RUNS / 4 }
  )
})

test('limits the procedures of a memory and the steps of a how-to', () => {
  expect(proceduresIn('I love old maps. '.repeat(500))).toHaveLength(PROCEDURES_MAX)
  const steps = Array.from({ length: 200 }, (_, n) => `${n + 1}. Open gate ${n}`).join('\n')
  expect(proceduresIn(`How to walk\n${steps}`)[0]?.steps).toHaveLength(STEPS_MAX)
})

/** Quadratic work would exceed the time limit of the test. */
test.each([
  ['preferences', 'I prefer tea and I love '],
  ['conditions', 'if the gate is open, '],
  ['steps', 'first open it, then press it, and '],
  ['denials', "don't never not "],
  ['modals', 'all must not be '],
  ['favourites', 'my favourite '],
  ['openers', 'well, '],
  ['quotation marks', '"I prefer '],
  ['items', '- open the gate\n'],
  ['numbered items', '1. open the gate\n'],
  ['rules', 'Rules:\n- no\n'],
  ['turns', 'Ann: I love it all.\nBob: You must not.\n']
])('reads a hundred thousand units of %s', (_what, piece) => {
  const text = piece.repeat(Math.floor(100_000 / piece.length))
  expect(proceduresIn(text, { speaker: 'Ada' }).length).toBeLessThanOrEqual(PROCEDURES_MAX)
})
