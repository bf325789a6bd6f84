import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Entry, isGroup } from '../../../src/cli/command/command.ts'
import { loadCatalogue } from '../../../src/cli/program/branches.ts'
import { findCommand } from '../../../src/cli/program/find-command.ts'
import { ensureBuilt } from '../built-program.ts'
import { runCli } from '../run-cli.ts'
import { caseHomes } from './case-home.ts'
import { COMMAND_CASES, type CommandCase, exitIn } from './command-cases.ts'
import { foreignControls, hostileName } from './hostile-name.ts'
import { isOnTerminal, KINDS, type Kind, kindsHere, type Outcome, runIn, WHY_NO_TERMINAL } from './kinds.ts'
import { type SampleService, startSampleService } from './sample-service.ts'

const CATALOGUE = await loadCatalogue()
const homes = caseHomes()
let service: SampleService
/** Homes for a terminal: every name in them contains control sequences. */
const hostileHomes = caseHomes(hostileName)
let hostileService: SampleService
const results = new Map<string, string>()

beforeAll(async () => {
  ensureBuilt()
  service = await startSampleService()
  hostileService = await startSampleService({ name: hostileName })
})
afterAll(async () => {
  for (const one of [homes, hostileHomes]) one.remove()
  for (const one of [service, hostileService]) await one.close()
  writeTable()
})

/** Returns the full name of every command. */
function commandsUnder(entries: readonly Entry[], path: readonly string[] = []): string[] {
  return entries.flatMap((entry) =>
    isGroup(entry) ? commandsUnder(entry.entries, [...path, entry.name]) : [[...path, entry.name].join(' ')]
  )
}

function commandOf({ words }: CommandCase): string {
  return findCommand(words, CATALOGUE).path.slice(1).join(' ')
}

const COMMANDS = commandsUnder(CATALOGUE)

test('has a case for every command', () => {
  const tried = new Set(COMMAND_CASES.map(commandOf))
  expect([...tried].toSorted()).toEqual(COMMANDS.toSorted())
})

test.each(COMMAND_CASES.map((row) => [row.words.join(' ') || 'memctl', row] as const))(
  '%s exits as documented in all surroundings, and writes no foreign control sequence to a terminal',
  async (name, row) => {
    const kinds = kindsOf(row).filter((kind) => kindsHere().includes(kind))
    const told = await Promise.all(kinds.map((kind) => outcomesOf(row, kind)))
    kinds.forEach((kind, n) => void results.set(`${name} ${kind}`, told[n] ?? ''))
    expect(told.filter((one) => one.includes('!'))).toEqual([])
  }
)

/**
 * Returns the surroundings for a command: a terminal for every second one, and another kind, in rotation, for the
 * others. Its other cases run without a terminal. Cases that prompt run with and without one. With `SLOW=1` every case
 * runs in every kind.
 */
function kindsOf(row: CommandCase): readonly Kind[] {
  const all = row.kinds ?? KINDS
  if (process.env.SLOW) return all
  const command = commandOf(row)
  const at = COMMAND_CASES.findIndex((one) => commandOf(one) === command)
  if (row.asks !== undefined) return ['terminal', 'null']
  if (COMMAND_CASES[at] !== row) return all.filter((kind) => kind === 'null')
  if (row.kinds !== undefined) return all
  const nth = COMMANDS.indexOf(command)
  const others = KINDS.filter((kind) => kind !== 'terminal')
  return nth % 2 === 0 ? ['terminal'] : others.filter((_kind, other) => other === ((nth - 1) / 2) % others.length)
}

test('has a terminal for these tests', ({ skip }) => {
  skip(!kindsHere().includes('terminal'), WHY_NO_TERMINAL)
  expect(kindsHere()).toEqual(KINDS)
})

/** Selects JSON without a terminal, and with `SLOW=1` both formats everywhere. */
function formsOf(row: CommandCase, kind: Kind): readonly boolean[] {
  if (row.runs !== undefined) return [false]
  return process.env.SLOW ? [false, true] : [kind === 'null' || kind === 'closed']
}

async function outcomesOf(row: CommandCase, kind: Kind): Promise<string> {
  const told: string[] = []
  for (const json of formsOf(row, kind)) told.push(await outcomeOf(row, { kind, json }))
  return told.join(' · ')
}

async function outcomeOf(row: CommandCase, { kind, json }: { kind: Kind; json: boolean }): Promise<string> {
  const [server, places] = kind === 'terminal' ? [hostileService, hostileHomes] : [service, homes]
  const stopAt = row.runs ?? (kind === 'terminal' ? row.asks : undefined)
  const words = json ? [...row.words, '--json'] : row.words
  const place = places.fresh({ MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: 'mk_test' })
  const outcome = isRefusedAtOnce(row, kind) ? await runCli(words) : await runIn(kind, { words, stopAt }, place)
  const wrong = complaint(row, { kind, json, outcome })
  const said = `${outcome.code}${json ? ' json' : ''}`
  return wrong === undefined ? said : `${said}! ${kind}: ${wrong}\n${outcome.stderr}`
}

/**
 * Reports whether a case only checks that a command refuses its arguments without a terminal. It then runs in this
 * process, except with `SLOW=1`: other cases show that the built program exits with the code of an error.
 */
function isRefusedAtOnce({ ends, names, asks }: CommandCase, kind: Kind): boolean {
  return !process.env.SLOW && kind === 'null' && ends === 2 && names !== undefined && asks === undefined
}

type Told = { kind: Kind; json: boolean; outcome: Outcome }

function complaint(row: CommandCase, told: Told): string | undefined {
  const { code, stdout, stderr } = told.outcome
  const wanted = exitIn(row, told.kind)
  if (code !== wanted) return `exit ${code} in place of ${wanted}`
  const controls = isOnTerminal(told.kind) ? foreignControls(stdout) : []
  if (controls.length > 0) return `controls of somebody else: ${JSON.stringify([...new Set(controls)])}`
  if (stderr.includes('(node:')) return 'a warning of Node'
  if (wanted === 2 && row.names !== undefined && !stderr.includes(row.names)) return `nothing names ${row.names}`
  if (!told.json) return undefined
  return isOnTerminal(told.kind)
    ? screenComplaint(wanted, stdout)
    : jsonComplaint(row, { code: wanted, stdout, stderr })
}

function jsonComplaint(row: CommandCase, { code, stdout, stderr }: { code: number; stdout: string; stderr: string }) {
  if (code === 0) return row.text || isJson(stdout) ? undefined : `no JSON: ${stdout}`
  const lines = stderr.split('\n').filter((line) => line !== '')
  if (lines.length !== 1) return 'not one line on stderr'
  if (JSON.parse(lines[0] ?? '').error.exit_code !== code) return 'another exit code in JSON'
  return stdout === '' ? undefined : `something on stdout: ${stdout}`
}

/** Checks the error line of a terminal, which prompts may precede. */
function screenComplaint(code: number, screen: string): string | undefined {
  const isTold = screen.includes('{"error":{') && screen.includes(`"exit_code":${code},`)
  return code === 0 || isTold ? undefined : 'no exit code in JSON'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Writes the results as a table if the environment has, for example, `CASES_TABLE=cases.md`. */
function writeTable(): void {
  const { CASES_TABLE } = process.env
  if (CASES_TABLE === undefined) return
  const head = `| command | ${KINDS.join(' | ')} |\n|---|${KINDS.map(() => '---').join('|')}|\n`
  const rows = COMMAND_CASES.map(({ words }) => {
    const name = words.join(' ')
    const cells = KINDS.map((kind) => results.get(`${name} ${kind}`)?.split('\n')[0] ?? '')
    return `| \`${name}\` | ${cells.join(' | ')} |\n`
  })
  writeFileSync(CASES_TABLE, head + rows.join(''))
}
