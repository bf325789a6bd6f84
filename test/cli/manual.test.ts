import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, isGroup } from '../../src/cli/command/command.ts'
import { entry, example, paragraph } from '../../src/cli/commands/help/man-page.ts'
import { loadCatalogue } from '../../src/cli/program/branches.ts'
import { FAULTS } from '../../src/contract/faults.ts'
import { runCli } from './run-cli.ts'

const CATALOGUE = await loadCatalogue()

const isMissing = spawnSync('groff', ['--version']).error !== undefined
const WHY = 'groff is not there'

const page = async () => (await runCli(['help', 'man'])).stdout

/** Renders a page without emphasis, and returns the text and the warnings. */
function rendered(roff: string, columns = 400): { text: string; complaints: string } {
  const words = ['-man', '-Tutf8', '-P-cbou', '-ww', `-rLL=${columns}n`, '-rHY=0']
  const { stdout, stderr } = spawnSync('groff', words, { input: roff, encoding: 'utf8' })
  return { text: stdout, complaints: stderr }
}

test('contains every command with its flags, every exit code and every variable', async ({ skip }) => {
  skip(isMissing, WHY)
  const { text, complaints } = rendered(await page())
  expect(complaints).toBe('')
  const missing = [
    ...CATALOGUE.flatMap((one) => written(one, 'memctl')),
    ...Object.values(FAULTS).map((row) => row.means)
  ]
    .flatMap((one) => one.split('\n'))
    .filter((one) => !text.includes(one))
  expect(missing).toEqual([])
  for (const part of ['MEMCTL_SNAPSHOT', '--no-input', 'SCRIPTS AND CI', 'EXIT STATUS']) expect(text).toContain(part)
})

test('is ASCII, and contains only intended requests', async () => {
  const lines = (await page()).split('\n')
  expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([])
  const requests = new Set(lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]))
  expect([...requests].toSorted()).toEqual(['.EE', '.EX', '.PP', '.SH', '.SS', '.TH', '.TP', '.ad', '.nh', '.sp'])
  expect(lines[0]).toMatch(/^\.TH MEMCTL 1 /)
})

test('preserves every character of any text', ({ skip }) => {
  skip(isMissing, WHY)
  const anyText = fc.string({
    unit: fc.constantFrom(...'.\'\\-`^~"$(x [é…漢{}', '.br ', '\\fB'),
    minLength: 1,
    maxLength: 30
  })
  const texts = fc.sample(anyText, 60).map((text) => text.replace(/\s+/g, ' ').trim())
  const roff = ['.TH X 1', '.SH A', ...texts.flatMap((text, at) => example(`${at}:${text}:`))].join('\n')
  const { text, complaints } = rendered(`${roff}\n`)
  expect(complaints).toBe('')
  for (const [at, one] of texts.entries()) expect(text).toContain(`${at}:${one}:`)
})

test('starts each paragraph and entry with its own text', () => {
  expect(paragraph('.x -y')).toEqual(['.PP', '\\&.x \\-y'])
  expect(entry('--a <b>', "it's")).toEqual(['.TP', '\\fB\\-\\-a <b>\\fR', 'it\\(aqs'])
  expect(paragraph(' ')).toEqual([])
})

/** Returns the texts that the page must contain about a command. */
function written(one: Entry, above: string): string[] {
  const path = `${above} ${one.name}`
  if (isGroup(one)) return [path, ...one.entries.flatMap((inside) => written(inside, path))]
  const words = (one.words ?? []).map(({ name }) => name)
  return [[path, ...words].join(' '), ...one.options.map(({ flags }) => flags), ...(one.examples ?? [])]
}
