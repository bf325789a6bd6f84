import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPickRows } from '../../../src/cli/picker/pick-row.ts'
import { failBranch, startPick, TOP } from '../../../src/cli/picker/pick-state.ts'
import { pressKey } from '../../../src/cli/picker/press-key.ts'
import { keyNamed } from '../fake-world.ts'
import { anyKey, arrive, choice, namesIn, pickAmong, press } from './pick-kit.ts'

const three = () => pickAmong([choice('A'), choice('B'), choice('C')])
const tree = () => pickAmong([choice('A', { opens: true }), choice('B')])
const chosen = ({ chosen }: { chosen: ReadonlyMap<string, string> }) => [...chosen.keys()]
const rowId = (key: string) => key.split('\u0000').at(-1)

test('Space selects and deselects the current choice', () => {
  const one = press(three(), 'down', 'space')
  expect([...one.chosen]).toEqual([['B', 'name B']])
  expect(chosen(press(one, 'space'))).toEqual([])
})

test('selects nothing beyond the limit and shows a notice until the next key', () => {
  const full = press(pickAmong([choice('A'), choice('B')], { most: 1 }), 'space', 'down', 'space')
  expect(chosen(full)).toEqual(['A'])
  expect(full.notice).toBe('You can select at most 1.')
  expect(press(full, 'up').notice).toBe('')
})

test('keeps the previous selection in its order, visible or not', () => {
  const state = pickAmong([choice('A', { chosen: true }), choice('B')], { before: ['X', 'A'] })
  expect(chosen(state)).toEqual(['X', 'A'])
  expect(listPickRows(state).map(({ kind }) => kind)).toEqual(['elsewhere', 'choice', 'choice'])
  expect(chosen(press(state, 'home', 'space'))).toEqual(['A'])
})

test('a later listing does not reselect a deselected choice', () => {
  const opened = press(pickAmong([choice('A', { opens: true })], { before: ['X'] }), 'home', 'space', 'down', 'right')
  const arrived = arrive(opened, 'A', [choice('X', { chosen: true }), choice('Y', { chosen: true })])
  expect(chosen(arrived)).toEqual(['Y'])
})

test('Enter ends with the selection, Esc with nothing', () => {
  const state = press(three(), 'space')
  expect(pressKey(state, keyNamed('return'), 5)).toBe('chosen')
  expect(pressKey(state, keyNamed('escape'), 5)).toBe('cancelled')
})

test.each([
  ['nothing is selected', three(), 'Select at least one, or press Esc to cancel.'],
  [
    'too many are selected',
    pickAmong([choice('A')], { most: 1, before: ['A', 'X'] }),
    '2 selected, but at most 1 are allowed.'
  ],
  ['nothing is loaded', startPick({ most: 1, before: ['A'] }), '']
])('Enter does not end the picker if %s', (_why, state, notice) => {
  expect(press(state, 'return')).toMatchObject({ notice })
})

test('Right loads a folder once, then enters it; Left returns and closes it', () => {
  const opened = press(tree(), 'right')
  expect(opened.branches.get('A')).toEqual({ state: 'loading' })
  const arrived = arrive(opened, 'A', [choice('A1'), choice('A2')])
  expect(namesIn(arrived)).toEqual(['name A', 'name A1', 'name A2', 'name B'])
  const inside = press(arrived, 'right')
  expect(rowId(inside.at)).toBe('A1')
  const back = press(inside, 'down', 'left')
  expect(rowId(back.at)).toBe('A')
  const closed = press(back, 'left')
  expect(namesIn(closed)).toEqual(['name A', 'name B'])
  expect(press(closed, 'right').branches).toEqual(closed.branches)
})

test('does not open a folder inside itself', () => {
  const round = arrive(press(tree(), 'right'), 'A', [choice('A', { opens: true })])
  expect(listPickRows(press(round, 'right', 'right', 'right')).map(({ level }) => level)).toEqual([0, 1, 0])
})

test('Space, Right or Enter retries a failed listing', () => {
  const failed = failBranch(startPick({ most: 3, before: [] }), TOP, 'the provider is away')
  expect(listPickRows(failed)).toMatchObject([{ kind: 'failed', reason: 'the provider is away' }])
  for (const key of ['space', 'right', 'return'])
    expect(press(failed, key).branches.get(TOP)).toEqual({ state: 'loading' })
})

test('letters filter by name and move to the first match, ignoring case, accents, hyphens and spaces', () => {
  const state = pickAmong([choice('A', { name: 'Zoë-Room' }), choice('B', { name: 'Project Plans' }), choice('C')])
  const found = press(state, ...'TPL')
  expect(namesIn(found)).toEqual(['Project Plans'])
  expect(chosen(press(found, 'space'))).toEqual(['B'])
  expect(namesIn(press(state, ...'zoer'))).toEqual(['Zoë-Room'])
  expect(press(found, 'backspace').filter).toBe('TP')
  expect(press(found, 'ctrl-u').filter).toBe('')
})

test('Backspace removes one grapheme', () => {
  expect(press(three(), 'a', '👍', '🏽', 'backspace').filter).toBe('a')
})

test('a filter shows the parents of matches in loaded folders, and the whole content of an open match', () => {
  const inside = arrive(press(tree(), 'right'), 'A', [choice('A1', { name: 'deep' }), choice('A2')])
  const found = press(inside, ...'deep')
  expect(namesIn(found)).toEqual(['name A', 'deep'])
  expect(rowId(found.at)).toBe('A1')
  expect(namesIn(press(inside, 'left', ...'deep'))).toEqual(['name A', 'deep'])
  expect(namesIn(press(inside, ...'namea'))).toEqual(['name A', 'deep', 'name A2'])
})

test('for any keys, the cursor is on a row, the limit holds, and no listing is lost', () => {
  const rows = fc.array(fc.record({ id: fc.constantFrom(...'ABCDEF'), opens: fc.boolean(), chosen: fc.boolean() }), {
    maxLength: 8
  })
  fc.assert(
    fc.property(rows, rows, fc.array(anyKey, { maxLength: 30 }), (top, below, keys) => {
      const of = (list: typeof top) => list.map(({ id, ...more }) => choice(id, more))
      let state = pickAmong(of(top), { most: 3, before: ['A', 'Z'] })
      for (const key of keys) {
        const next = press(state, key)
        expect(next.chosen.size).toBeLessThanOrEqual(Math.max(3, state.chosen.size))
        state = next
        for (const [id, branch] of state.branches) if (branch.state === 'loading') state = arrive(state, id, of(below))
        const keysNow = listPickRows(state).map((row) => row.key)
        expect(keysNow.length === 0 || keysNow.includes(state.at)).toBe(true)
        expect(new Set(keysNow).size).toBe(keysNow.length)
      }
      const seen = listPickRows(press(state, 'ctrl-u')).flatMap((row) =>
        row.kind === 'choice' && row.level === 0 ? [row.choice.id] : []
      )
      expect(seen.toSorted()).toEqual([...new Set(top.map(({ id }) => id))].toSorted())
    })
  )
})
