import { expect, test } from 'vitest'
import { understoodLines } from '../../src/cli/views/understood-lines.ts'
import { memory } from './fake-device.ts'

const PAGE = { columns: 80, colors: false, width: (text: string) => text.length }

/** Renders lines without styles. */
function read(more: Parameters<typeof memory>[2], text = 'I moved to Lisbon in May.'): string[] {
  return understoodLines(memory(1, text, more), PAGE).map((line) =>
    line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
  )
}

const from = { span: [2, 17], rule: 'clause.object', confidence: 0.8 }

test('shows each entry with its source words, rule and confidence', () => {
  expect(read({ facts: [{ subject: 'Anna', predicate: 'moved to', value: 'Lisbon', ...from }] })).toEqual([
    '',
    'facts',
    '  Anna · moved to · Lisbon',
    '    “moved to Lisbon”  clause.object  0.80'
  ])
})

test('marks negated facts and facts that are not claimed', () => {
  const fact = { subject: 'Anna', predicate: 'may never move to', value: 'Rome', ...from }
  expect(read({ facts: [{ ...fact, negated: true, modality: 'possible' }] })[2]).toContain('(denied, possible)')
})

test('numbers steps, and shows a time with its stated precision', () => {
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

test('skips entries of an unknown shape and tolerates invalid spans', () => {
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

test('shortens long source words to their start and end', () => {
  const text = 'word '.repeat(100)
  const lines = read({ facts: [{ subject: 'a', predicate: 'b', value: 'c', ...from, span: [0, 500] }] }, text)
  expect(lines.join(' ').length).toBeLessThan(220)
})
