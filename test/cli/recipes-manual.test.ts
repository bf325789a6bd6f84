import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GLOBAL_OPTIONS } from '../../src/cli/command/global-options.ts'
import { loadCatalogue } from '../../src/cli/program/branches.ts'
import { findCommand } from '../../src/cli/program/find-command.ts'
import { SETTINGS_TABLE } from '../../src/cli/settings/settings-table.ts'
import { FAULTS } from '../../src/contract/faults.ts'

const CATALOGUE = await loadCatalogue()
const MANUAL = readFileSync(new URL('../../src/cli/README.md', import.meta.url), 'utf8')

/** Returns the first cells of the table rows below a heading. */
function firstCells(heading: string): string[] {
  const part = MANUAL.split(/^(?=##+ )/m).find((one) => one.startsWith(heading)) ?? ''
  return [...part.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell.trim())
}

test('the manual lists every exit code, and no other', () => {
  const told = firstCells('## Exit codes').flatMap((cell) => cell.split(', ').filter((one) => /^\d+$/.test(one)))
  const codes = new Set([0, ...Object.values(FAULTS).map(({ exit }) => exit)])
  expect(told.map(Number)).toEqual([...codes].toSorted((a, b) => a - b))
})

test('the manual lists every setting with its variable', () => {
  expect(firstCells('## Settings').filter((cell) => cell.startsWith('`'))).toEqual(
    SETTINGS_TABLE.map(({ key }) => `\`${key}\``)
  )
  for (const { key, variable } of SETTINGS_TABLE)
    expect(MANUAL).toMatch(new RegExp(`^\\| \`${key}\` .*\`${variable}\``, 'm'))
})

test('the manual contains only existing commands and flags', () => {
  const lines = [...MANUAL.matchAll(/^ +(?:- )?(?:run: )?(memctl .*)$/gm), ...MANUAL.matchAll(/^(memctl .*)$/gm)]
  const spoken = [...MANUAL.matchAll(/`(memctl [a-z][^`]*)`/g)]
  const commands = [...lines, ...spoken].map(([, line = '']) =>
    line.replace(/\$\([^)]*\)/g, '').replace(/ +[#|>].*$/, '')
  )
  expect(commands.length).toBeGreaterThan(25)
  expect(commands.filter((line) => !isSound(line))).toEqual([])
})

function isSound(line: string): boolean {
  const words = line.split(/ +/).slice(1)
  const { command } = findCommand(words, CATALOGUE)
  if (command === undefined) return words[0] === 'COMMAND'
  const known = [...command.options, ...GLOBAL_OPTIONS].flatMap(
    ({ flags }) => flags.match(/(?<=^|, )--?[a-z-]+/g) ?? []
  )
  return words.filter((word) => /^--?[a-z]/.test(word)).every((flag) => known.includes(flag))
}
