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

/** What a reader sees of a page, without emphasis; and what was complained about. */
function rendered(roff: string, columns = 400): { text: string; complaints: string } {
  const words = ['-man', '-Tutf8', '-P-cbou', '-ww', `-rLL=${columns}n`, '-rHY=0']
  const { stdout, stderr } = spawnSync('groff', words, { input: roff, encoding: 'utf8' })
  return { text: stdout, complaints: stderr }
}

test('the manual has every command with its flags, exit code and variable', async ({ skip }) => {
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

test('the manual is ASCII, and each of its requests is one that is meant', async () => {
  const lines = (await page()).split('\n')
  expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([])
  const requests = new Set(lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]))
  expect([...requests].toSorted()).toEqual(['.EE', '.EX', '.PP', '.SH', '.SS', '.TH', '.TP', '.ad', '.nh', '.sp'])
  expect(lines[0]).toMatch(/^\.TH MEMCTL 1 /)
})

test('a text is read back sign for sign, whatever is in it', ({ skip }) => {
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

test('paragraphs and entries begin with what is theirs', () => {
  expect(paragraph('.x -y')).toEqual(['.PP', '\\&.x \\-y'])
  expect(entry('--a <b>', "it's")).toEqual(['.TP', '\\fB\\-\\-a <b>\\fR', 'it\\(aqs'])
  expect(paragraph(' ')).toEqual([])
})

/** What the page must say of a command. */
function written(one: Entry, above: string): string[] {
  const path = `${above} ${one.name}`
  if (isGroup(one)) return [path, ...one.entries.flatMap((inside) => written(inside, path))]
  const words = (one.words ?? []).map(({ name }) => name)
  return [[path, ...words].join(' '), ...one.options.map(({ flags }) => flags), ...(one.examples ?? [])]
}
