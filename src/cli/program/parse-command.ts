import { Argument, CommanderError, Option, Command as Parser } from 'commander'
import { Fault } from '../../contract/faults.ts'
import type { AnyCommand } from '../command/command.ts'
import { GLOBAL_OPTIONS } from '../command/global-options.ts'
import type { CommandLine, OptionRow } from '../input/command-line.ts'
import { drawCommand, drawRows, type HelpRow } from '../output/draw-help.ts'
import { wrapText } from '../output/wrap-text.ts'

/** A parsed command line, or the help that it requests. */
export type Parsed = { given: CommandLine; help?: undefined } | { help: string; given?: undefined }

/**
 * A command or group. `meant` has complete commands to suggest for an unknown one, instead of commander's own
 * suggestion.
 */
export type Place = { path: readonly string[]; summary: string; columns: number; meant?: readonly string[] }

/** Parses the words of one command. Throws a usage fault whose hint is the nearest flag or command, or an example. */
export function parseCommand(command: AnyCommand, words: readonly string[], place: Place): Parsed {
  const parser = emptyParser(place)
  for (const word of command.words ?? []) parser.addArgument(new Argument(word.name, word.about))
  for (const row of command.options) parser.addOption(makeOption(row))
  addGlobals(parser)
  parser.addHelpText('after', () => moreHelp(command, place.columns))
  try {
    return parse(parser, words)
  } catch (error) {
    throw missingWord(error, command) ?? usageFault(error, place)
  }
}

/** Returns the fault of a missing word, which lists the possible values if they are known. */
function missingWord(error: unknown, { words = [], examples: [example = ''] }: AnyCommand): Fault | undefined {
  if (!(error instanceof CommanderError) || error.code !== 'commander.missingArgument') return undefined
  const name = error.message.match(/'(.+)'/)?.[1] ?? ''
  const choices = words.find((word) => word.name.replace(/[<>.]/g, '') === name)?.choices
  const expected = choices === undefined ? '' : `: expected ${listChoices(choices)}`
  return new Fault('usage', `missing argument <${name}>${expected}`, { hint: example, next: [example] })
}

function listChoices(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

/** A command or group as help lists it. */
type Listed = { name: string; summary: string }

/** The help of a group, or a request for the version of the program. */
type ParsedGroup = { help: string; version: boolean }

/** Parses words that end at a group and returns its help. Throws a usage fault if they name a command that does not exist. */
export function parseGroup(entries: readonly Listed[], words: readonly string[], place: Place): ParsedGroup {
  const parser = emptyParser(place)
  addGlobals(parser)
  if (place.path.length === 1) parser.option('--version', 'print the version')
  parser.usage('<command> [options]').helpCommand(false)
  for (const entry of entries) parser.command(entry.name).description(entry.summary).helpOption(false)
  const globals = parser.createHelp().visibleOptions(parser)
  parser.configureHelp({ ...HELP, visibleOptions: () => [] })
  parser.addHelpText('after', () => optionList(globals, place.columns))
  try {
    const { help = '' } = parse(parser, withoutHelp(words))
    return { help, version: parser.opts().version === true }
  } catch (error) {
    throw usageFault(error, place)
  }
}

/** Drops `--help` after the name of a command that does not exist, so that the command is reported as unknown. */
function withoutHelp(words: readonly string[]): readonly string[] {
  const named = words.some((word) => !word.startsWith('-'))
  return named ? words.filter((word) => word !== '--help' && word !== '-h') : words
}

/** Draws the options below the commands, because a reader of this list looks for a command. */
function optionList(options: readonly Option[], columns: number): string {
  const rows = options.map(({ flags, description }): HelpRow => [flags, description])
  return ['', EVERYWHERE, ...drawRows(rows, columns)].join('\n')
}

/** Minimum width of the column in which commander wraps descriptions. */
const HELP = { minWidthToWrap: 20 }

const EVERYWHERE = 'Global options:'

function emptyParser({ path, summary, columns }: Place): Parser {
  return new Parser(path.join(' '))
    .description(summary)
    .exitOverride()
    .configureOutput({
      writeOut: () => undefined,
      writeErr: () => undefined,
      getOutHelpWidth: () => columns,
      getOutHasColors: () => false
    })
    .configureHelp(HELP)
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(EVERYWHERE))
}

function addGlobals(parser: Parser): void {
  for (const row of GLOBAL_OPTIONS) parser.addOption(makeOption(row).helpGroup(EVERYWHERE))
}

function makeOption(row: OptionRow): Option {
  const option = new Option(row.flags, row.about)
  if (row.repeat)
    option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value])
  return option
}

function moreHelp({ about, examples }: AnyCommand, columns: number): string {
  const paragraphs = about === undefined ? [] : ['', ...wrapText(about, { columns, width: (text) => text.length })]
  const lines = examples.flatMap((example) => drawCommand(example, columns))
  return [...paragraphs, '', 'Examples:', ...lines].join('\n')
}

function parse(parser: Parser, words: readonly string[]): Parsed {
  let help = ''
  const write = (text: string): void => {
    help += text
  }
  parser.configureOutput({ writeOut: write, writeErr: write })
  try {
    parser.parse([...words], { from: 'user' })
  } catch (error) {
    // Commander has the second code for a group without a command.
    if (error instanceof CommanderError && ['commander.helpDisplayed', 'commander.help'].includes(error.code))
      return { help }
    throw error
  }
  const literal = countLiteral(words, parser.options)
  return { given: { words: parser.args, ...(literal > 0 && { literal }), options: parser.opts() } }
}

/** Counts the words after the `--` that ends the flags; a `--` that is the value of a flag does not end them. */
function countLiteral(words: readonly string[], options: readonly Option[]): number {
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '--') return words.length - at - 1
    if (takesNextWord(words[at] ?? '', options)) at++
  }
  return 0
}

/** Whether a word is a flag whose value is the next word. Of `-abc` only the last flag can be, after flags without a value. */
function takesNextWord(word: string, options: readonly Option[]): boolean {
  const find = (flag: string): Option | undefined =>
    options.find((option) => option.short === flag || option.long === flag)
  if (!/^-\w{2}/.test(word)) return find(word)?.required === true
  return find(word.slice(0, 2))?.isBoolean() === true && takesNextWord(`-${word.slice(2)}`, options)
}

/** Turns commander's error into a usage fault whose hint is commander's suggestion. Returns other errors unchanged. */
function usageFault(error: unknown, { path, meant: elsewhere = [] }: Place): unknown {
  if (!(error instanceof CommanderError)) return error
  const [sentence = '', guess] = error.message.replace(/^error: /, '').split('\n')
  const own = guess?.match(/\(Did you mean (.+)\?\)/)?.[1]
  const isCommand = error.code === 'commander.unknownCommand' && elsewhere.length > 0
  const meant = isCommand ? elsewhere.join(', or ') : own
  const help = `${path.join(' ')} --help`
  return new Fault('usage', sentence, {
    hint: meant === undefined ? help : `did you mean ${meant}? See ${help}`,
    next: [help]
  })
}
