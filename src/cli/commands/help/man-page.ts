import { type AnyCommand, type Entry, isGroup } from '../../command/command.ts'
import { GLOBAL_OPTIONS } from '../../command/global-options.ts'
import { PROGRAM_SUMMARY } from '../../command/program-summary.ts'
import { VERSION } from '../../command/version.ts'
import type { OptionRow } from '../../input/command-line.ts'
import type { EnvironmentRow } from './answer-environment.ts'
import type { ExitCodeRow } from './answer-exit-codes.ts'

/** What the manual is made of besides the tables that everybody sees. */
export type ManualParts = {
  catalogue: readonly Entry[]
  exitCodes: readonly ExitCodeRow[]
  environment: readonly EnvironmentRow[]
  /** Texts of help, each beginning with its title on a line of its own. */
  topics: readonly string[]
}

/** The manual as a page for man(1), out of what help is made of. */
export async function manPage({ catalogue, exitCodes, environment, topics }: ManualParts): Promise<string> {
  const commands: string[] = []
  for (const one of catalogue) commands.push(...(await entryLines(one, 'memctl')))
  const lines = [
    `.TH MEMCTL 1 "" "memctl ${roffText(VERSION)}"`,
    // Commands and names are to be found again as they are written.
    '.nh',
    '.ad l',
    '.SH NAME',
    `memctl \\- ${roffText(PROGRAM_SUMMARY.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '\\fBmemctl\\fR \\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...commands,
    '.SH OPTIONS OF EVERY COMMAND',
    ...GLOBAL_OPTIONS.flatMap(optionLines),
    ...optionLines({ flags: '-h, --help', about: 'show help on a command' }),
    ...topics.flatMap(topicLines),
    '.SH EXIT STATUS',
    ...exitCodeLines(exitCodes),
    '.SH ENVIRONMENT',
    ...environment.flatMap(variableLines)
  ]
  return `${lines.join('\n')}\n`
}

async function entryLines(one: Entry, above: string): Promise<string[]> {
  const path = `${above} ${one.name}`
  if (!isGroup(one)) return await commandLines(one, path)
  const lines: string[] = [`.SS ${roffText(path)}`, roffText(sentence(one.summary))]
  if (one.about !== undefined) lines.push(...example(await one.about()))
  for (const inside of one.entries) lines.push(...(await entryLines(inside, path)))
  return lines
}

async function commandLines(command: AnyCommand, path: string): Promise<string[]> {
  const { words = [], options, about = '', examples = [], manual } = command
  return [
    `.SS ${roffText([path, ...words.map(({ name }) => name)].join(' '))}`,
    roffText(sentence(command.summary)),
    ...paragraph(about),
    ...words.flatMap((word) => entry(word.name, word.about)),
    ...options.flatMap(optionLines),
    ...(examples.length === 0 ? [] : example(examples.join('\n'))),
    ...(manual === undefined ? [] : example(await manual()))
  ]
}

function optionLines({ flags, about }: OptionRow): string[] {
  return entry(flags, about)
}

function topicLines(text: string): string[] {
  const [title = '', ...rest] = text.split('\n')
  return [`.SH ${roffText(title.toUpperCase())}`, ...example(rest.join('\n').replace(/^\n+/, ''))]
}

function exitCodeLines(rows: readonly ExitCodeRow[]): string[] {
  const codes = [...new Set(rows.map(({ exit_code }) => exit_code))]
  return codes.flatMap((code) => {
    const means = rows.filter(({ exit_code }) => exit_code === code).map((row) => row.means)
    return entry(String(code), means.join('; '))
  })
}

function variableLines({ variable, about, default: otherwise }: EnvironmentRow): string[] {
  return entry(variable, otherwise === null ? about : `${about}; by default ${otherwise}`)
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Text as groff and mandoc read it back sign for sign, in ASCII: nothing in it is a request or an escape of theirs. */
function roffText(text: string): string {
  return text.replace(SPECIAL, (sign) => NAMED[sign] ?? `\\[u${toCodePoint(sign)}]`).replace(/^(?=[.'])/gm, '\\&')
}

const SPECIAL = /[\\\-'`^~]|[^\x20-\x7e\n]/gu

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti'
}

function toCodePoint(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** A paragraph. */
export function paragraph(text: string): string[] {
  return text.trim() === '' ? [] : ['.PP', roffText(text)]
}

/** A term in bold, and what it means beside or below it. */
export function entry(term: string, about: string): string[] {
  return ['.TP', `\\fB${roffText(term)}\\fR`, roffText(about)]
}

/** Lines as they are. */
export function example(text: string): string[] {
  // An empty line is a request of its own.
  const lines = roffText(text.trimEnd()).split('\n')
  return ['.PP', '.EX', ...lines.map((line) => (line === '' ? '.sp' : line)), '.EE']
}
