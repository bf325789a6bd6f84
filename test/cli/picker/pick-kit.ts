import fc from 'fast-check'
import stringWidth from 'string-width'
import { drawPicker, type PickWords } from '../../../src/cli/picker/draw-picker.ts'
import { listPickRows } from '../../../src/cli/picker/pick-row.ts'
import { type Choice, type PickState, startPick, TOP, takeBranch } from '../../../src/cli/picker/pick-state.ts'
import { pressKey, settleRow } from '../../../src/cli/picker/press-key.ts'
import type { ScreenSize } from '../../../src/ports.ts'
import { keyNamed } from '../fake-world.ts'

export const FOLDERS: PickWords = {
  question: 'Which folders to sync?',
  one: 'folder',
  many: 'folders',
  elsewhere: 'in a closed folder',
  tree: true
}
export const CHANNELS: PickWords = {
  ...FOLDERS,
  question: 'Which channels to sync?',
  one: 'channel',
  many: 'channels',
  tree: false
}

export const width = (text: string): number => stringWidth(text)

export function choice(id: string, more: Partial<Choice> = {}): Choice {
  return { id, name: `name ${id}`, chosen: false, opens: false, remarks: [], ...more }
}

/** Creates a picker state with these choices at the top level and the cursor on the first. */
export function pickAmong(choices: readonly Choice[], { most = 10, before = [] as string[] } = {}): PickState {
  return arrive(startPick({ most, before }), TOP, choices)
}

/** Adds a loaded listing. */
export function arrive(state: PickState, parent: string, choices: readonly Choice[]): PickState {
  return settleRow(takeBranch(state, parent, choices), listPickRows(state))
}

/** Returns the state after keys that do not end the picker. */
export function press(state: PickState, ...names: readonly string[]): PickState {
  return names.reduce((before, name) => {
    const next = pressKey(before, name === 'ctrl-u' ? { name: 'u', text: '', ctrl: true } : keyNamed(name), 5)
    if (typeof next === 'string') throw new Error(`${name} ended it`)
    return next
  }, state)
}

export function shown(state: PickState, words = FOLDERS, size: ScreenSize = { columns: 80, rows: 24 }): string[] {
  const { line, below } = drawPicker({ state, words, colors: false, width }, size, 0)
  return [line, ...below]
}

/** Returns the names of the visible choices. */
export function namesIn(state: PickState): string[] {
  return listPickRows(state).flatMap((row) => (row.kind === 'choice' ? [row.choice.name] : []))
}

/** Generates hostile names. */
export const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({
    unit: fc.constantFrom('漢', '👨‍👩‍👧‍👦', '🇩🇪', 'é', 'a', '\u001b[31m', '\u202e', '\n', '\t', ' '),
    maxLength: 60
  })
)

/** Generates key presses in any order. */
export const anyKey = fc.constantFrom(
  ...[
    'up',
    'down',
    'pageup',
    'pagedown',
    'home',
    'end',
    'left',
    'right',
    'space',
    'backspace',
    'n',
    '1',
    '漢',
    'ctrl-u'
  ]
)
