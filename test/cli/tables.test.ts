import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { drawTable } from '../../src/cli/output/draw-table.ts'
import type { Page } from '../../src/cli/output/styled-line.ts'
import { cutText, wrapText } from '../../src/cli/output/wrap-text.ts'

const width = (text: string) => stringWidth(text)
const page = (columns: number, colors = false): Page => ({ columns, colors, width })

const COLUMNS = [
  { title: 'id', leaves: 1 },
  { title: 'speaker', flexible: true },
  { title: 'text', flexible: true }
]

test('measures wide characters and emoji as a terminal shows them', () => {
  expect(cutText('日本語のテキスト', 7, width)).toBe('日本語…')
  expect(cutText('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5, width)).toBe('👩‍👩‍👧👩‍👩‍👧…')
  expect(cutText('e\u0301e\u0301e\u0301', 3, width)).toBe('e\u0301e\u0301e\u0301')
})

test('no line of a table is wider than the terminal', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '日', '👍', 'é', '\u001b[31m', '\n', 'ﷺ'), maxLength: 80 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }),
      fc.integer({ min: 20, max: 120 }),
      (rows, columns) => {
        const lines = drawTable(COLUMNS, rows, page(columns)).split('\n')
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns)
      }
    )
  )
})

test('narrows the text column before a short one', () => {
  const table = drawTable(COLUMNS, [['mem_1', 'Ada', 'a long text that does not fit into forty columns']], page(40))
  expect(table).toBe(['ID     SPEAKER  TEXT', 'mem_1  Ada      a long text that does n…', ''].join('\n'))
})

test('drops an optional column if there is no room', () => {
  const table = drawTable(COLUMNS, [['mem_00000001', 'Ada Lovelace', 'a long text that wants room']], page(34))
  expect(table.split('\n')[0]).toBe('  SPEAKER       TEXT')
})

test('puts color codes around cells, never inside', () => {
  const table = drawTable([{ title: 'id', look: 'dim' }], [['\u001b[31mx']], page(40, true))
  expect(table).toBe('\u001b[2mID\u001b[0m\n\u001b[2mx\u001b[0m\n')
})

test('wraps text between words, and inside a word that is too long', () => {
  expect(wrapText('one two three', { columns: 7, width })).toEqual(['one two', 'three'])
  expect(wrapText('abcdefghij', { columns: 4, width })).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrapText('日本語日本', { columns: 4, width })).toEqual(['日本', '語日', '本'])
  expect(wrapText('a\n\nb', { columns: 4, width })).toEqual(['a', '', 'b'])
})

test('marks text that continues after a wrap', () => {
  expect(wrapText('one two three four', { columns: 7, width, linesMax: 2 })).toEqual(['one two', 'three…'])
})

test('wrapping loses no character and keeps the width', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '👍', '\n') })
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, columns) => {
      const lines = wrapText(given, { columns, width })
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns)
      expect(lines.join('').replaceAll(' ', '')).toBe(given.replace(/[ \n]/g, ''))
    })
  )
})

test('wraps a text without spaces in linear time', () => {
  const lines = wrapText('x'.repeat(300_000), { columns: 76, width })
  expect(lines).toHaveLength(Math.ceil(300_000 / 76))
})
