import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnyCommand, type Entry, isGroup } from '../../src/cli/command/command.ts'
import { GLOBAL_OPTIONS, hasFlag } from '../../src/cli/command/global-options.ts'
import { loadCatalogue } from '../../src/cli/program/branches.ts'
import { findCommand } from '../../src/cli/program/find-command.ts'
import { parseCommand } from '../../src/cli/program/parse-command.ts'
import { readWords } from '../../src/cli/program/read-words.ts'

const CATALOGUE = await loadCatalogue()

const commands = allCommands(CATALOGUE)
const place = { path: ['memctl', 'x'], summary: '', columns: 100 }

test('where plain words are read at all, the full parser reads them alike', () => {
  const anyCommand = fc.constantFrom(...commands)
  const withWords = anyCommand.chain((command) =>
    fc.tuple(fc.constant(command), fc.array(wordFor(command), { maxLength: 6 }))
  )
  fc.assert(
    fc.property(withWords, ([command, words]) => {
      const given = readWords(command, words)
      if (given !== undefined) expect(parseCommand(command, words, place).given).toEqual(given)
    }),
    { numRuns: 2000 }
  )
})

test('plain words are read without the full parser', () => {
  const store = command('store')
  expect(
    readWords(store, ['text', '--speaker', 'Ada', '--metadata', 'a=1', '--metadata=b=2', '--dry-run', '--json'])
  ).toEqual({
    words: ['text'],
    options: { speaker: 'Ada', metadata: ['a=1', 'b=2'], dryRun: true, json: true, input: true, color: true }
  })
})

test('too many words are left to the full parser', () => {
  expect(readWords(command('init'), ['x', 'y'])).toBeUndefined()
})

test('words after -- are counted, and a -- that is the value of a flag is none', () => {
  for (const words of [
    ['--', 'a', 'b'],
    ['x', '--', 'a', 'b'],
    ['--speaker', '--', 'x', '--', '--text', 'b'],
    ['--json', '--speaker', '--', '--', 'a', 'b']
  ]) {
    expect(readWords(command('store'), words)).toMatchObject({ literal: 2 })
    expect(parseCommand(command('store'), words, place).given).toMatchObject({ literal: 2 })
  }
  expect(readWords(command('store'), ['x', '--'])).not.toHaveProperty('literal')
  for (const words of [
    ['--speaker', '--', 'x'],
    ['-vf', '--', 'x']
  ]) {
    expect(parseCommand(command('store'), words, place).given).not.toHaveProperty('literal')
  }
})

test.each([
  ['an unknown flag', ['x', '--nope']],
  ['a flag without its value', ['x', '--speaker']],
  ['short flags in one', ['x', '-vy']],
  ['a call for help', ['--help']],
  ['a value where none belongs', ['x', '--dry-run=yes']]
])('%s is left to the full parser', (_name, words) => {
  expect(readWords(command('store'), words)).toBeUndefined()
})

test('global flags may stand before, between and after the names of a command', () => {
  const found = findCommand(['--json', 'device', '--snapshot', 'list', 'store', 'text', '--yes'], CATALOGUE)
  expect(found.path).toEqual(['memctl', 'device', 'store'])
  expect(found.words).toEqual(['--json', '--snapshot', 'list', 'text', '--yes'])
})

test('what stands after -- is never a flag', () => {
  expect(hasFlag(['device', 'store', '--', '--json'], '--json')).toBe(false)
  expect(readWords(command('store'), ['--', '--json'])?.words).toEqual(['--json'])
})

function command(name: string): AnyCommand {
  const found = commands.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return found
}

function allCommands(entries: readonly Entry[]): AnyCommand[] {
  return entries.flatMap((entry) => (isGroup(entry) ? allCommands(entry.entries) : [entry]))
}

/** Words that a person might write to a command: its flags in all forms, values, dashes, nonsense. */
function wordFor({ options }: AnyCommand) {
  const flags = [...options, ...GLOBAL_OPTIONS].flatMap(({ flags: text }) =>
    text.split(/, | /).filter((part) => part.startsWith('-'))
  )
  return fc.oneof(
    fc.constantFrom(...flags),
    fc.constantFrom(...flags.map((flag) => `${flag}=v`)),
    fc.constantFrom('a', '-', '--', '', '-1', '-fx', '-vy', '--js', '--no-json', 'k=v', '--version')
  )
}
