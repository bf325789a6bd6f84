import { expect, test } from 'vitest'
import { type AnyCommand, type Entry, isGroup } from '../../src/cli/command/command.ts'
import { hasFlag } from '../../src/cli/command/global-options.ts'
import { loadCatalogue } from '../../src/cli/program/branches.ts'
import { findCommand } from '../../src/cli/program/find-command.ts'
import { parseCommand } from '../../src/cli/program/parse-command.ts'

const CATALOGUE = await loadCatalogue()

const commands = allCommands(CATALOGUE)
const place = { path: ['memctl', 'x'], summary: '', columns: 100 }

test('distinguishes words from flags', () => {
  const words = ['text', '--speaker', 'Ada', '--metadata', 'a=1', '--metadata=b=2', '--dry-run', '--json']
  expect(parseCommand(command('store'), words, place).given).toEqual({
    words: ['text'],
    options: {
      speaker: 'Ada',
      metadata: ['a=1', 'b=2'],
      dryRun: true,
      json: true,
      input: true,
      pager: true,
      color: true
    }
  })
})

test('counts the words after --, but not after a -- that is the value of a flag', () => {
  for (const words of [
    ['--', 'a', 'b'],
    ['x', '--', 'a', 'b'],
    ['--speaker', '--', 'x', '--', '--text', 'b'],
    ['--json', '--speaker', '--', '--', 'a', 'b']
  ]) {
    expect(parseCommand(command('store'), words, place).given).toMatchObject({ literal: 2 })
  }
  for (const words of [
    ['x', '--'],
    ['--speaker', '--', 'x'],
    ['-vf', '--', 'x']
  ]) {
    expect(parseCommand(command('store'), words, place).given).not.toHaveProperty('literal')
  }
})

test('accepts global flags before, between and after the names of a command', () => {
  const found = findCommand(['--json', 'device', '--snapshot', 'list', 'store', 'text', '--yes'], CATALOGUE)
  expect(found.path).toEqual(['memctl', 'device', 'store'])
  expect(found.words).toEqual(['--json', '--snapshot', 'list', 'text', '--yes'])
})

test('never reads a word after -- as a flag', () => {
  expect(hasFlag(['device', 'store', '--', '--json'], '--json')).toBe(false)
  expect(parseCommand(command('store'), ['--', '--json'], place).given?.words).toEqual(['--json'])
})

function command(name: string): AnyCommand {
  const found = commands.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return found
}

function allCommands(entries: readonly Entry[]): AnyCommand[] {
  return entries.flatMap((entry) => (isGroup(entry) ? allCommands(entry.entries) : [entry]))
}
