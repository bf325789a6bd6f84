import { expect, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type AnyCommand, type Entry, isGroup } from '../../src/cli/command/command.ts'
import { HELP_TOPICS } from '../../src/cli/command/help-topics.ts'
import { VERSION } from '../../src/cli/command/version.ts'
import { BRANCHES, loadCatalogue } from '../../src/cli/program/branches.ts'
import { SETTINGS_TABLE } from '../../src/cli/settings/settings-table.ts'
import { FAULTS } from '../../src/contract/faults.ts'
import { runCli } from './run-cli.ts'

const CATALOGUE = await loadCatalogue()

/** All commands except `help`, whose help is the list of commands. */
const paths = CATALOGUE.flatMap((entry) => (entry.name === 'help' ? [] : pathsOf(entry, [])))

test.each(paths.map((path) => [path.join(' ')]))('`%s --help` and `help %s` print the help on stdout', async (path) => {
  const words = path.split(' ')
  const run = await runCli([...words, '--help'])
  expect(run.code).toBe(0)
  expect(run.stderr).toBe('')
  expect(run.stdout).toContain(`Usage: memctl ${path}`)
  expect(run.calls).toEqual([])
  expect((await runCli(['help', ...words])).stdout).toBe(run.stdout)
})

test('lists the commands with their summaries for no words and for help', async () => {
  const { stdout, code } = await runCli([])
  expect(code).toBe(0)
  for (const { name, summary } of CATALOGUE) expect(stdout.replace(/\s+/g, ' ')).toContain(` ${name} ${summary}`)
  expect((await runCli(['--help'])).stdout).toBe(stdout)
  expect((await runCli(['help'])).stdout).toBe(stdout)
})

test('lists the same summaries as the loaded commands have', () => {
  const listed = (rows: readonly { name: string; summary: string }[]) =>
    rows.map(({ name, summary }) => [name, summary])
  expect(listed(BRANCHES)).toEqual(listed(CATALOGUE))
})

const VERBS =
  'Add|Check|Choose|Configure|Create|Delete|Disconnect|Encrypt|Export|Forget|Import|Link|List|Manage|Merge|Pause|Print|' +
  'Remove|Restore|Resume|Revoke|Rewrite|Run|Save|Search|Send|Show|Stop|Store|Sync|Try|Verify|View|Wait'

test.each(entriesOf(CATALOGUE).map(({ path, entry }) => [path, entry] as const))(
  'the summary of memctl %s is an imperative phrase without a full stop',
  (_, { summary }) => {
    expect(summary).toMatch(new RegExp(`^(${VERBS}) .+[^.]$`))
  }
)

test.each(commandsOf(CATALOGUE))('memctl %s has an example that runs it', (path, { examples }) => {
  expect(examples.some((example) => example.includes(`memctl ${path}`))).toBe(true)
})

test.each(commandsOf(CATALOGUE))(
  'each option of memctl %s is a noun phrase or an imperative without a full stop',
  (_, { options, words = [] }) => {
    for (const { about } of [...options, ...words]) expect(about).toMatch(/^(?!what |how |which |whether )\S.*[^.]$/)
  }
)

/** Every command line that prints help. */
const HELP_LINES = [
  [''],
  ...entriesOf(CATALOGUE).map(({ path }) => [`${path} --help`]),
  ...HELP_TOPICS.filter((topic) => topic !== 'man').map((topic) => [`help ${topic}`])
]

test.each(HELP_LINES)('memctl %s fits a terminal of 60, 80 and 120 columns and breaks no word', async (line) => {
  const helpAt = async (columns: number) =>
    (await runCli(line.split(' ').filter(Boolean), { terminals: ['output'], columns })).stdout
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '\\')
  const widest = await helpAt(110)
  expect(widest.length).toBeGreaterThan(100)
  for (const columns of [60, 80, 120]) {
    const help = await helpAt(columns)
    expect(help.split('\n').filter((one) => one.length > columns)).toEqual([])
    expect(words(help)).toEqual(words(widest))
  }
})

test.each([
  ['memctl', []],
  ...CATALOGUE.filter(isGroup).map(({ name }) => [`memctl ${name}`, [name]] as const),
  ['memctl server providers', ['server', 'providers']],
  ['memctl device --json', ['device', '--json']]
] as const)('%s prints its help on stdout', async (_, words) => {
  const { code, stdout, stderr } = await runCli(words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Commands:')
  expect(stdout).toContain('Global options:')
})

test('memctl connect without a provider lists the providers and sends no request', async () => {
  const fetch = vi.fn()
  const { code, stdout, stderr } = await runCli(['connect'], { fetch })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    'error: missing argument <provider>: expected cloud_drive, team_chat, mailbox or notes\n' +
      'hint: memctl connect mailbox -c work\n'
  )
  expect(fetch).not.toHaveBeenCalled()
})

test('help exit-codes lists every code of the table', async () => {
  const rows = JSON.parse((await runCli(['help', 'exit-codes', '--json'])).stdout)
  for (const [code, { exit }] of Object.entries(FAULTS)) {
    expect(rows).toContainEqual(expect.objectContaining({ code, exit_code: exit }))
  }
  expect(rows[0]).toMatchObject({ exit_code: 0 })
})

test('help environment lists every variable of the settings', async () => {
  const { stdout } = await runCli(['help', 'environment'])
  for (const { variable, about } of SETTINGS_TABLE) expect(stdout).toMatch(new RegExp(`^${variable}\t.*${about}`, 'm'))
})

test.each(HELP_LINES)('memctl %s fits 100 columns in a pipe', async (line) => {
  const { stdout } = await runCli(line.split(' ').filter(Boolean))
  const isTable = /exit-codes|environment/.test(line)
  expect(stdout.split('\n').filter((one) => one.length > 100 && !isTable)).toEqual([])
})

test.each([
  ['help', 'nothing'],
  ['nothing', '--help'],
  ['device', 'nothing', '--help']
])('exits 2 for help on something that does not exist: %s %s', async (...words) => {
  const run = await runCli(words)
  expect(run.code).toBe(2)
  expect(run.stderr).toContain("unknown command 'nothing'")
})

test.each([
  [['help', 'formts'], 'did you mean memctl help formats?'],
  [['help', 'exit'], 'did you mean memctl help exit-codes?'],
  [['forget', 'anna'], 'did you mean memctl device forget?'],
  [['help', 'rotate-key'], 'did you mean memctl server rotate-key?'],
  [['devcie'], 'did you mean device?'],
  [['device', 'serch'], 'did you mean search?'],
  [['device', 'search', '--limt', '3'], 'did you mean --limit?'],
  [['xyzzy'], 'hint: memctl --help']
])('suggests the intended command for %j', async (words, hint) => {
  const run = await runCli(words)
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(hint)
})

test('every help topic exists and is listed in the help', async () => {
  const listed = (await runCli(['--help'])).stdout.replace(/\s+/g, ' ')
  for (const topic of HELP_TOPICS) {
    expect(listed).toContain(topic)
    const { code, stdout } = await runCli(['help', topic, '--json'])
    expect({ topic, code, isJson: JSON.parse(stdout) !== undefined }).toEqual({ topic, code: 0, isJson: true })
  }
})

test('prints the version of the package', () => {
  expect(VERSION).toBe(packageJson.version)
})

type Listed = { path: string; entry: Entry }

/** Lists every group and command with the words that lead to it. */
function entriesOf(entries: readonly Entry[], above: readonly string[] = []): Listed[] {
  return entries.flatMap((entry) => {
    const words = [...above, entry.name]
    return [{ path: words.join(' '), entry }, ...(isGroup(entry) ? entriesOf(entry.entries, words) : [])]
  })
}

function commandsOf(entries: readonly Entry[]): [string, AnyCommand][] {
  return entriesOf(entries).flatMap(({ path, entry }) => (isGroup(entry) ? [] : [[path, entry]]))
}

function pathsOf(entry: Entry, above: string[]): string[][] {
  const path = [...above, entry.name]
  return isGroup(entry) ? [path, ...entry.entries.flatMap((one) => pathsOf(one, path))] : [path]
}
