import { Fault } from '../../contract/faults.ts'
import type { Terminal, World } from '../../ports.ts'
import type { AnyCommand } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type GlobalFlags, globalFlags } from '../command/global-options.ts'
import { HELP_TOPICS } from '../command/help-topics.ts'
import { PROGRAM_SUMMARY } from '../command/program-summary.ts'
import { VERSION } from '../command/version.ts'
import type { CommandLine } from '../input/command-line.ts'
import { makeDiagnostics } from '../output/diagnostics.ts'
import { makeResultWriter, type OutputMode } from '../output/result-writer.ts'
import { type LazyModules, once } from '../ports/lazy-modules.ts'
import { faultOnSameServer } from '../service/next-command.ts'
import { openClient } from '../service/open-client.ts'
import { makeSettings } from '../settings/settings.ts'
import { BRANCHES, loadCatalogue } from './branches.ts'
import { type FoundCommand, findCommand, firstWord } from './find-command.ts'
import type { Parsed, Place } from './parse-command.ts'

/** From words to a finished command. Rejects with its fault; what was held back of its diagnostics is said when it succeeds. */
export async function runCommand(argv: readonly string[], world: World, modules: LazyModules): Promise<void> {
  if (argv.length === 1 && argv[0] === '--version') return await world.terminal.output.write(`${VERSION}\n`)
  const words = helpWords(argv)
  const branch = BRANCHES.find(({ name }) => name === firstWord(words))
  const found = findCommand(words, branch === undefined ? [] : [await branch.load()])
  const place = { path: found.path, summary: found.summary || PROGRAM_SUMMARY, columns: helpColumns(world) }
  const { command } = found
  if (command === undefined) return await answerGroup(found, { ...place, asked: argv }, world)
  const { given, help } = await parse(command, found.words, place)
  if (given === undefined) {
    const more = command.manual === undefined ? '' : `\n${await command.manual()}`
    return await world.terminal.output.write(`${help}${more}`)
  }
  const context = makeContext(world, checkFlags(given), modules)
  try {
    await unlessStopped(command, world, () => command.execute(context, given))
  } catch (error) {
    throw faultOnSameServer(error, context)
  }
  await context.diagnostics.flush()
}

/** Parses the words of a command. The parser is loaded with the first command line that needs it: `--version` does not. */
async function parse(command: AnyCommand, words: readonly string[], place: Place): Promise<Parsed> {
  const { parseCommand } = await import('./parse-command.ts')
  return parseCommand(command, words, place)
}

async function answerGroup(
  { entries, words, about }: FoundCommand,
  { asked, ...place }: Place & { asked: readonly string[] },
  world: World
): Promise<void> {
  const { parseGroup } = await import('./parse-command.ts')
  const isTop = place.path.length === 1
  const meant = isTop && words.some((word) => !word.startsWith('-')) ? await guesses(asked, words) : []
  const { given, help } = parseGroup(isTop ? BRANCHES : entries, words, { ...place, meant })
  if (given?.options.version === true) return await world.terminal.output.write(`${VERSION}\n`)
  if (help !== undefined) {
    const more = about === undefined ? '' : `\n${await about()}`
    return await world.terminal.output.write(`${help}${more}`)
  }
  throw new Fault('usage', `'${place.path.join(' ')}' needs the name of a command`, {
    hint: `${place.path.join(' ')} --help lists them`
  })
}

async function guesses(asked: readonly string[], words: readonly string[]): Promise<readonly string[]> {
  const { suggestCommands } = await import('./suggest-commands.ts')
  return suggestCommands(asked, words, await loadCatalogue())
}

function checkFlags(given: CommandLine): ReturnType<typeof globalFlags> {
  const flags = globalFlags(given.options)
  if (flags.json && flags.jsonl)
    throw new Fault('usage', '--json and --jsonl exclude each other', { hint: 'give one of them' })
  if (flags.fields?.length === 0)
    throw new Fault('usage', '--fields names no field', { hint: 'for example --fields id,text' })
  return flags
}

/** Help is read in a terminal or piped to a pager: as wide as the one, and no wider than is good to read. */
function helpColumns({ terminal }: World): number {
  return terminal.output.isTerminal ? Math.min(terminal.output.columns, 110) : 100
}

/** How long a command may take to come to a clean stop after Ctrl-C, in milliseconds. */
const STOP_GRACE_MS = 1500

/**
 * Does a command's work. After SIGINT or SIGTERM it rejects with the fault of an interruption, as soon as the work stops or
 * a moment later, and says in what state things are left.
 */
async function unlessStopped(command: AnyCommand, world: World, work: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  try {
    await (command.blocks ? work() : Promise.race([work(), stopAfterGrace(world, over.signal)]))
  } catch (error) {
    throw isStop(error) && world.terminal.interrupted.aborted ? makeStopFault(command, world.terminal, error) : error
  } finally {
    over.abort()
  }
}

/** Never resolves: rejects when the work has been interrupted and does not stop by its own doing. */
async function stopAfterGrace({ terminal, clock }: World, over: AbortSignal): Promise<never> {
  await untilAborted(terminal.interrupted)
  await clock.wait(STOP_GRACE_MS, over)
  throw new Fault('cancelled', '')
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function isStop(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'cancelled' || error.code === 'terminated'
  return error instanceof Error && error.name === 'AbortError'
}

/** The words of who stopped, else of the command. */
function makeStopFault(command: AnyCommand, { interrupted }: Terminal, error: unknown): Fault {
  const own = error instanceof Fault && error.message !== '' ? error : undefined
  const more = { cause: error, ...(own && { hint: own.hint, next: [...own.next] }) }
  const code = interrupted.reason === 'SIGTERM' ? 'terminated' : 'cancelled'
  return new Fault(code, own?.message ?? `stopped. ${command.leaves}`, more)
}

/** `help`, alone or with the words of a command, is that command with `--help`; `help` with a topic stays as it is. */
function helpWords(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  const [first, ...rest] = argv
  if (first !== 'help') return argv
  const named = rest.filter((word) => !word.startsWith('-'))
  return named.length > 0 && HELP_TOPICS.some((topic) => topic === named[0]) ? argv : [...named, '--help']
}

/** The context of one run: which form the answer has and whether a person is there follow from flags and streams. */
function makeContext(world: World, flags: GlobalFlags, modules: LazyModules): Context {
  const { output, errors } = world.terminal
  const mode = outputMode(flags, output.isTerminal)
  const inJson = mode === 'json' || mode === 'jsonl'
  const settings = makeSettings(world, { snapshot: flags.snapshot, server: flags.server })
  const diagnostics = makeDiagnostics(errors, {
    held: inJson,
    verbose: flags.verbose,
    colors: flags.color && errors.colors
  })
  return {
    world,
    flags,
    settings,
    answer: makeResultWriter(output, {
      mode,
      fields: flags.fields,
      header: flags.header,
      colors: flags.color && output.colors,
      note: diagnostics.note
    }),
    diagnostics,
    person: isPersonThere(world, flags),
    device: modules.device,
    client: once(() => openClient({ world, settings, diagnostics, modules })),
    modules
  }
}

function outputMode(flags: GlobalFlags, isTerminal: boolean): OutputMode {
  if (flags.jsonl) return 'jsonl'
  if (flags.json) return 'json'
  return isTerminal ? 'table' : 'tsv'
}

/** The one guard before every question: a terminal at both ends, no CI, and nobody said not to ask. */
function isPersonThere({ terminal, settings }: World, flags: GlobalFlags): boolean {
  const ci = settings.CI !== undefined && settings.CI !== '' && settings.CI !== 'false' && settings.CI !== '0'
  return flags.input && !ci && terminal.input.isTerminal && terminal.errors.isTerminal
}
