import { type AnyCommand, type Entry, isGroup } from '../../command/command.ts'
import { GLOBAL_OPTIONS } from '../../command/global-options.ts'
import { PROGRAM_SUMMARY } from '../../command/program-summary.ts'
import { VERSION } from '../../command/version.ts'
import type { OptionRow } from '../../input/command-line.ts'
import type { HelpBlock } from '../../output/draw-help.ts'
import type { EnvironmentRow } from './answer-environment.ts'
import type { ExitCodeRow } from './answer-exit-codes.ts'

/** The parts of the manual that change with the commands and settings. */
export type ManualParts = {
  catalogue: readonly Entry[]
  exitCodes: readonly ExitCodeRow[]
  environment: readonly EnvironmentRow[]
  /** Help texts, each of which starts with its title. */
  topics: readonly (readonly HelpBlock[])[]
}

/** Returns the manual as a page for man(1), built from the same tables as help. */
export async function manPage({ catalogue, exitCodes, environment, topics }: ManualParts): Promise<string> {
  const commands: string[] = []
  for (const one of catalogue) commands.push(...(await entryLines(one, 'memctl')))
  const lines = [
    `.TH MEMCTL 1 "" "memctl ${roffText(VERSION)}"`,
    // Hyphenation and justification would change commands and names, which readers search for.
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
    ...optionLines({ flags: '-h, --help', about: 'show help' }),
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
  if (one.about !== undefined) lines.push(...(await one.about()).flatMap(blockLines))
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
    ...(manual === undefined ? [] : (await manual()).flatMap(blockLines))
  ]
}

function optionLines({ flags, about }: OptionRow): string[] {
  return entry(flags, about)
}

function topicLines([title, ...blocks]: readonly HelpBlock[]): string[] {
  const name = title !== undefined && 'heading' in title ? title.heading : ''
  return [`.SH ${roffText(name.toUpperCase())}`, ...blocks.flatMap(blockLines)]
}

function blockLines(block: HelpBlock): string[] {
  if ('heading' in block) return ['.PP', `\\fB${roffText(block.heading)}\\fR`]
  if ('text' in block) return paragraph(block.text)
  if ('rows' in block) return block.rows.flatMap(([term, description]) => entry(term, description))
  return example('file' in block ? block.file : block.commands.join('\n'))
}

function exitCodeLines(rows: readonly ExitCodeRow[]): string[] {
  const codes = [...new Set(rows.map(({ exit_code }) => exit_code))]
  return codes.flatMap((code) => {
    const means = rows.filter(({ exit_code }) => exit_code === code).map((row) => row.means)
    return entry(String(code), means.join('; '))
  })
}

function variableLines({ variable, about, default: otherwise }: EnvironmentRow): string[] {
  return entry(variable, otherwise === null ? about : `${about} (default: ${otherwise})`)
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Escapes a text in ASCII, so that groff and mandoc print exactly its characters and find no request or escape in it. */
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

/** Formats a paragraph. */
export function paragraph(text: string): string[] {
  return text.trim() === '' ? [] : ['.PP', roffText(text)]
}

/** Formats a term in bold with its description. */
export function entry(term: string, about: string): string[] {
  return ['.TP', `\\fB${roffText(term)}\\fR`, roffText(about)]
}

/** Formats lines that are printed unchanged. */
export function example(text: string): string[] {
  // An empty line would end the paragraph.
  const lines = roffText(text.trimEnd()).split('\n')
  return ['.PP', '.EX', ...lines.map((line) => (line === '' ? '.sp' : line)), '.EE']
}
