import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { markLine } from '../../src/cli/output/mark-line.ts'
import { drawLine } from '../../src/cli/output/styled-line.ts'
import { wrapPlain } from '../../src/cli/output/wrap-text.ts'

const width = (text: string) => stringWidth(text)
const ON = '\u001b[1;35m'
const OFF = '\u001b[0m'

function drawn(text: string, marks: [number, number][], room: { columns: number; linesMax?: number }): string[] {
  const places = marks.map(([start, end]) => ({ start, end }))
  return wrapPlain(text, { ...room, width }).lines.map((line) => drawLine(markLine(line, places), true))
}

test('highlights marked words on every line after a wrap', () => {
  expect(
    drawn(
      'one two three',
      [
        [4, 7],
        [8, 13]
      ],
      { columns: 7 }
    )
  ).toEqual([`one ${ON}two${OFF}`, `${ON}three${OFF}`])
})

test('highlights a match that continues on the next line on both lines', () => {
  expect(drawn('abcdefgh', [[2, 6]], { columns: 4 })).toEqual([`ab${ON}cd${OFF}`, `${ON}ef${OFF}gh`])
})

test('merges adjacent and overlapping marks', () => {
  expect(
    drawn(
      '日本語です',
      [
        [0, 2],
        [1, 3]
      ],
      { columns: 20 }
    )
  ).toEqual([`${ON}日本語${OFF}です`])
})

test('never marks an ellipsis', () => {
  expect(
    drawn(
      'tea tea tea',
      [
        [0, 3],
        [4, 7],
        [8, 11]
      ],
      { columns: 7, linesMax: 1 }
    )
  ).toEqual([`${ON}tea${OFF} ${ON}te${OFF}…`])
})

test('draws only the text without colours', () => {
  const [line] = wrapPlain('black tea', { columns: 20, width }).lines
  expect(drawLine(markLine(line ?? { text: '', start: 0 }, [{ start: 6, end: 9 }]), false)).toBe('black tea')
})

test('marks change no character, and no line exceeds the width', () => {
  const letter = fc.constantFrom('a', ' ', '日', '👍🏽', 'e\u0301', '\n', '-')
  const mark = fc.tuple(fc.nat(60), fc.nat(20))
  fc.assert(
    fc.property(fc.array(letter), fc.array(mark), fc.integer({ min: 2, max: 30 }), (letters, marks, columns) => {
      const given = letters.join('')
      const lengthOf = (count: number): number => letters.slice(0, count).join('').length
      const sorted = marks
        .map(([start, length]) => ({ start: lengthOf(start), end: lengthOf(start + length) }))
        .sort((left, right) => left.start - right.start)
      for (const line of wrapPlain(given, { columns, width, linesMax: 4 }).lines) {
        expect(drawLine(markLine(line, sorted), false)).toBe(line.text)
        expect(width(line.text)).toBeLessThanOrEqual(columns)
        if (!line.text.endsWith('…')) expect(given.slice(line.start, line.start + line.text.length)).toBe(line.text)
      }
    })
  )
})
