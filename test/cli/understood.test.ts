import { expect, test } from 'vitest'
import { understoodLines } from '../../src/cli/views/understood-lines.ts'
import { memory } from './fake-device.ts'

const PAGE = { columns: 80, colors: false, width: (text: string) => text.length }

/** The lines as they are read, without their looks. */
function read(more: Parameters<typeof memory>[2], text = 'I moved to Lisbon in May.'): string[] {
  return understoodLines(memory(1, text, more), PAGE).map((line) =>
    line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
  )
}

const from = { span: [2, 17], rule: 'clause.object', confidence: 0.8 }

test('each entry is shown with the words it came from, its rule and how sure it is', () => {
  expect(read({ facts: [{ subject: 'Anna', predicate: 'moved to', value: 'Lisbon', ...from }] })).toEqual([
    '',
    'facts',
    '  Anna · moved to · Lisbon',
    '    “moved to Lisbon”  clause.object  0.80'
  ])
})

test('what is denied or not claimed says so', () => {
  const fact = { subject: 'Anna', predicate: 'may never move to', value: 'Rome', ...from }
  expect(read({ facts: [{ ...fact, negated: true, modality: 'possible' }] })[2]).toContain('(denied, possible)')
})

test('steps are numbered, and a time is shown no more exactly than it was said', () => {
  const lines = read({
    procedures: [{ kind: 'how_to', statement: 'Make tea', steps: ['boil water', 'wait'], ...from }],
    events: [
      { statement: 'Anna moved', started_at: '2025-05-01T00:00:00.000Z', precision: 'month', aspect: 'past', ...from },
      { statement: 'Anna runs', aspect: 'recurring', ...from },
      { statement: 'Anna called', started_at: '2025-05-01T17:30:00.000Z', precision: 'minute', ...from }
    ]
  })
  expect(lines).toEqual(expect.arrayContaining(['  how to: Make tea', '    1. boil water', '    2. wait']))
  expect(lines).toEqual(
    expect.arrayContaining(['  Anna moved  (2025-05)', '  Anna runs  (recurring)', '  Anna called  (2025-05-01 17:30)'])
  )
})

test('entries of another make are passed over, and odd spans harm nothing', () => {
  expect(read({ facts: [7, null, 'x', { subject: 'a' }], procedures: [[]], events: [{}] })).toEqual([])
  const odd = { subject: 'a', predicate: 'b', value: 'c' }
  expect(
    read({
      facts: [
        { ...odd, span: ['x', {}] },
        { ...odd, span: 7, rule: 1, confidence: 'high' }
      ]
    })
  ).toHaveLength(6)
})

test('long words are shown by their beginning and end', () => {
  const text = 'word '.repeat(100)
  const lines = read({ facts: [{ subject: 'a', predicate: 'b', value: 'c', ...from, span: [0, 500] }] }, text)
  expect(lines.join(' ').length).toBeLessThan(220)
})
