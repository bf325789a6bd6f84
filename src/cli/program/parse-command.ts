import { Argument, CommanderError, Option, Command as Parser } from 'commander'
import { Fault } from '../../contract/faults.ts'
import type { AnyCommand } from '../command/command.ts'
import { GLOBAL_OPTIONS } from '../command/global-options.ts'
import type { CommandLine, OptionRow } from '../input/command-line.ts'
import { wrapText } from '../output/wrap-text.ts'

/** Either the words understood, or help that was asked for. */
export type Parsed = { given: CommandLine; help?: undefined } | { help: string; given?: undefined }

/** `meant`: whole commands that an unknown one perhaps stands for; they come before commander's own guess. */
export type Place = { path: readonly string[]; summary: string; columns: number; meant?: readonly string[] }

/** Parses the words of one command. Throws a usage fault with the nearest flag or command as its hint. */
export function parseCommand(command: AnyCommand, words: readonly string[], place: Place): Parsed {
  const parser = emptyParser(place)
  for (const word of command.words ?? []) parser.addArgument(new Argument(word.name, word.about))
  for (const row of command.options) parser.addOption(makeOption(row))
  addGlobals(parser)
  parser.addHelpText('after', moreHelp(command, place.columns))
  return parse(parser, words, place)
}

/** What help lists. */
type Listed = { name: string; summary: string }

/** Parses what stands where the name of a command should: gives help, or says which command was perhaps meant. */
export function parseGroup(entries: readonly Listed[], words: readonly string[], place: Place): Parsed {
  const parser = emptyParser(place)
  addGlobals(parser)
  if (place.path.length === 1) parser.option('--version', 'print the version')
  parser.usage('<command> [options]').helpCommand(false)
  for (const entry of entries) parser.command(entry.name).description(entry.summary).helpOption(false)
  const globals = parser.createHelp().visibleOptions(parser)
  parser.configureHelp({ ...HELP, visibleOptions: () => [] })
  parser.addHelpText('after', optionList(globals))
  return parse(parser, withoutHelp(words), place)
}

/** Help is for what exists: a command that does not is said to be unknown. */
function withoutHelp(words: readonly string[]): readonly string[] {
  const named = words.some((word) => !word.startsWith('-'))
  return named ? words.filter((word) => word !== '--help' && word !== '-h') : words
}

/** Options below the commands, since commands are what a list of commands is read for. */
function optionList(options: readonly Option[]): string {
  const room = Math.max(...options.map((option) => option.flags.length)) + 2
  return `\n${EVERYWHERE}\n${options.map((option) => `  ${option.flags.padEnd(room)}${option.description}`).join('\n')}`
}

/** Texts are wrapped as long as their column has so many characters. */
const HELP = { minWidthToWrap: 20 }

const EVERYWHERE = 'Options of every command:'

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
  const lines = examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]
  return [...paragraphs, ...lines].join('\n')
}

function parse(parser: Parser, words: readonly string[], place: Place): Parsed {
  let help = ''
  parser.configureOutput({ writeOut: (text) => (help += text) })
  try {
    parser.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return { help }
    if (error.code === 'commander.help') throw commandNeeded(place)
    throw usageFault(error, place)
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

function commandNeeded({ path }: Place): Fault {
  const help = `${path.join(' ')} --help`
  return new Fault('usage', `'${path.join(' ')}' needs the name of a command`, {
    hint: `${help} lists them`,
    next: [help]
  })
}

/** Commander's sentence without its `error:`, on one line; its guess becomes the hint. */
function usageFault(error: CommanderError, { path, meant: elsewhere = [] }: Place): Fault {
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
