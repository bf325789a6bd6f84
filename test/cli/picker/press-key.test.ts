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

test('Space chooses what the cursor is on and takes it back again', () => {
  const one = press(three(), 'down', 'space')
  expect([...one.chosen]).toEqual([['B', 'name B']])
  expect(chosen(press(one, 'space'))).toEqual([])
})

test('beyond the limit nothing is chosen, and that is said until the next key', () => {
  const full = press(pickAmong([choice('A'), choice('B')], { most: 1 }), 'space', 'down', 'space')
  expect(chosen(full)).toEqual(['A'])
  expect(full.notice).toBe('no more than 1 can be chosen')
  expect(press(full, 'up').notice).toBe('')
})

test('what was chosen before is chosen, seen or not, and stays in its order', () => {
  const state = pickAmong([choice('A', { chosen: true }), choice('B')], { before: ['X', 'A'] })
  expect(chosen(state)).toEqual(['X', 'A'])
  expect(listPickRows(state).map(({ kind }) => kind)).toEqual(['elsewhere', 'choice', 'choice'])
  expect(chosen(press(state, 'home', 'space'))).toEqual(['A'])
})

test('what was taken back is not chosen again by a listing that comes later', () => {
  const opened = press(pickAmong([choice('A', { opens: true })], { before: ['X'] }), 'home', 'space', 'down', 'right')
  const arrived = arrive(opened, 'A', [choice('X', { chosen: true }), choice('Y', { chosen: true })])
  expect(chosen(arrived)).toEqual(['Y'])
})

test('Enter ends it with what is chosen, Esc with nothing', () => {
  const state = press(three(), 'space')
  expect(pressKey(state, keyNamed('return'), 5)).toBe('chosen')
  expect(pressKey(state, keyNamed('escape'), 5)).toBe('cancelled')
})

test.each([
  ['nothing is chosen', three(), 'choose at least one, or leave with Esc'],
  [
    'too much was chosen before',
    pickAmong([choice('A')], { most: 1, before: ['A', 'X'] }),
    '2 are chosen: no more than 1 can be'
  ],
  ['nothing was listed yet', startPick({ most: 1, before: ['A'] }), '']
])('Enter does not end it where %s', (_why, state, notice) => {
  expect(press(state, 'return')).toMatchObject({ notice })
})

test('Right asks for what lies in a folder once, then goes into it; Left comes back and closes it', () => {
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

test('a folder that lies in itself is not entered a second time', () => {
  const round = arrive(press(tree(), 'right'), 'A', [choice('A', { opens: true })])
  expect(listPickRows(press(round, 'right', 'right', 'right')).map(({ level }) => level)).toEqual([0, 1, 0])
})

test('what could not be loaded is asked for again by Space, Right or Enter on its row', () => {
  const failed = failBranch(startPick({ most: 3, before: [] }), TOP, 'the provider is away')
  expect(listPickRows(failed)).toMatchObject([{ kind: 'failed', reason: 'the provider is away' }])
  for (const key of ['space', 'right', 'return'])
    expect(press(failed, key).branches.get(TOP)).toEqual({ state: 'loading' })
})

test('letters filter by name, without regard to case, accents, hyphens and spaces; the cursor goes to the first found', () => {
  const state = pickAmong([choice('A', { name: 'Zoë-Room' }), choice('B', { name: 'Project Plans' }), choice('C')])
  const found = press(state, ...'TPL')
  expect(namesIn(found)).toEqual(['Project Plans'])
  expect(chosen(press(found, 'space'))).toEqual(['B'])
  expect(namesIn(press(state, ...'zoer'))).toEqual(['Zoë-Room'])
  expect(press(found, 'backspace').filter).toBe('TP')
  expect(press(found, 'ctrl-u').filter).toBe('')
})

test('Backspace takes away what a person sees as one letter', () => {
  expect(press(three(), 'a', '👍', '🏽', 'backspace').filter).toBe('a')
})

test('a filter shows the way to what it finds in folders that were opened, and all that lies in an open one it finds', () => {
  const inside = arrive(press(tree(), 'right'), 'A', [choice('A1', { name: 'deep' }), choice('A2')])
  const found = press(inside, ...'deep')
  expect(namesIn(found)).toEqual(['name A', 'deep'])
  expect(rowId(found.at)).toBe('A1')
  expect(namesIn(press(inside, 'left', ...'deep'))).toEqual(['name A', 'deep'])
  expect(namesIn(press(inside, ...'namea'))).toEqual(['name A', 'deep', 'name A2'])
})

test('whatever is pressed, the cursor is on a row, no key goes beyond the limit, and nothing listed is lost', () => {
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
