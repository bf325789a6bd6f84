import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowStart } from '../../../src/cli/picker/draw-picker.ts'
import { failBranch, startPick, TOP } from '../../../src/cli/picker/pick-state.ts'
import { safeWidth } from '../../../src/cli/picker/safe-width.ts'
import { anyKey, anyName, arrive, CHANNELS, choice, FOLDERS, pickAmong, press, shown, width } from './pick-kit.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => choice(`C${at}`))

test('draws a tree with boxes, open folders and the number of selected ones', () => {
  const opened = press(pickAmong([choice('A', { opens: true }), choice('B', { opens: true })]), 'right')
  const state = press(arrive(opened, 'A', [choice('A1')]), 'down', 'space')
  expect(shown(state)).toEqual([
    'Which folders to sync?  1/10  ',
    '  - [ ] name A',
    '>     [x] name A1',
    '  + [ ] name B',
    '',
    'Space select | Enter confirm | Esc cancel | Right open | Left close'
  ])
})

test('draws channels with a private mark and the number of members', () => {
  const state = pickAmong([choice('C1', { name: 'general', remarks: ['private', '1,204 members'] })])
  expect(shown(state, CHANNELS)[1]).toBe('> [ ] general  private, 1,204 members')
  expect(shown(state, CHANNELS, { columns: 26, rows: 24 })[1]).toBe('> [ ] general  private')
})

test('draws a selected choice without a listing by its id', () => {
  expect(shown(pickAmong([choice('A')], { before: ['X1'] }))[1]).toBe('>   [x] X1  in a closed folder')
})

test('draws loading, empty and failed listings in their places', () => {
  const start = startPick({ most: 3, before: [] })
  expect(shown(start)[1]).toBe('> | loading …')
  expect(shown(failBranch(start, TOP, 'no answer'))[1]).toBe('> ! Space to retry: no answer')
  expect(shown(pickAmong([]))[1]).toBe('> no folders here')
  expect(shown(press(pickAmong([choice('A')]), 'x'))[1]).toBe('no folders match')
})

test('draws the filter at the end of the first line, at the cursor', () => {
  const state = press(pickAmong(many(3)), ...'name c1')
  expect(shown(state)[0]).toBe('Which folders to sync?  0/10  filter: namec1')
  expect(shown(state, FOLDERS, { columns: 20, rows: 9 })[0]).toBe('0/10  filter: mec1')
})

test('draws a window of a long list that follows the cursor, with its position', () => {
  const state = press(pickAmong(many(3041)), 'pagedown', 'pagedown')
  const lines = shown(state, CHANNELS, { columns: 80, rows: 12 })
  expect(lines).toHaveLength(11)
  expect(lines).toContain('> [ ] name C10')
  expect(lines.at(-2)).toBe('7-14 of 3,041 rows')
  expect(shown(press(state, 'end'), CHANNELS, { columns: 80, rows: 12 }).at(-2)).toBe('3034-3041 of 3,041 rows')
})

test('a window contains the cursor and leaves no row empty', () => {
  const sizes = fc.record({ count: fc.nat(200), at: fc.nat(199), height: fc.integer({ min: 1, max: 60 }) })
  fc.assert(
    fc.property(sizes, ({ count, at: wanted, height }) => {
      fc.pre(count > 0)
      const at = wanted % count
      const start = windowStart({ count, at, height })
      expect(start <= at && at < start + height).toBe(true)
      expect(Math.min(count, start + height) - start).toBe(Math.min(count, height))
    })
  )
})

test('stays within the terminal and prints no control characters for any names and size', () => {
  const names = fc.array(fc.tuple(anyName, anyName), { maxLength: 12 })
  const size = fc.record({ columns: fc.integer({ min: 5, max: 130 }), rows: fc.integer({ min: 4, max: 40 }) })
  const seen = fc.record({ names, size, keys: fc.array(anyKey, { maxLength: 12 }), tree: fc.boolean() })
  fc.assert(
    fc.property(seen, ({ names, size, keys, tree }) => {
      const choices = names.map(([name, remark], at) =>
        choice(`C${at}`, { name, remarks: [remark], opens: at % 2 === 0 })
      )
      const state = press(pickAmong(choices), ...keys)
      const lines = shown(state, tree ? FOLDERS : CHANNELS, size)
      expect(lines.length).toBeLessThan(size.rows)
      for (const line of lines) {
        expect(safeWidth(width)(line)).toBeLessThan(size.columns)
        expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
      }
    })
  )
})

test('measures joined characters by their separate widths', () => {
  expect(safeWidth(width)('👨‍👩‍👧')).toBeGreaterThanOrEqual(6)
  expect(safeWidth(width)('漢字')).toBe(4)
})
