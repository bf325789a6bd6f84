import { Fault } from '../../contract/faults.ts'
import type { Output, Terminal, World } from '../../ports.ts'
import type { AnyCommand } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type GlobalFlags, globalFlags, hasFlag } from '../command/global-options.ts'
import { HELP_TOPICS } from '../command/help-topics.ts'
import { PROGRAM_SUMMARY } from '../command/program-summary.ts'
import { VERSION } from '../command/version.ts'
import type { CommandLine } from '../input/command-line.ts'
import { makeDiagnostics } from '../output/diagnostics.ts'
import { drawHelp, helpColumns } from '../output/draw-help.ts'
import { makeResultWriter, type OutputMode } from '../output/result-writer.ts'
import { type LazyModules, once } from '../ports/lazy-modules.ts'
import { faultOnSameServer } from '../service/next-command.ts'
import { openClient } from '../service/open-client.ts'
import { makeSettings } from '../settings/settings.ts'
import { BRANCHES, LIVE_VALUES_BRANCH, loadCatalogue } from './branches.ts'
import { type FoundCommand, findCommand, firstWord } from './find-command.ts'
import type { PagedOutput } from './paged-output.ts'
import type { Parsed, Place } from './parse-command.ts'

/**
 * Runs a command line. Rejects with the command's fault. On success, writes the diagnostics that JSON mode held back.
 */
export async function runCommand(argv: readonly string[], world: World, modules: LazyModules): Promise<void> {
  if (argv.length === 1 && argv[0] === '--version') return await world.terminal.output.write(`${VERSION}\n`)
  const words = helpWords(argv)
  const branch = [...BRANCHES, LIVE_VALUES_BRANCH].find(({ name }) => name === firstWord(words))
  const found = findCommand(words, branch === undefined ? [] : [await branch.load()])
  const place = {
    path: found.path,
    summary: found.summary || PROGRAM_SUMMARY,
    columns: helpColumns(world.terminal.output)
  }
  const { command } = found
  if (command === undefined) return await answerGroup(found, { ...place, asked: argv }, world)
  const { given, help } = await parse(command, found.words, place)
  if (given === undefined) {
    return await writeHelp(help + (await drawManual(command.manual, place)), argv, world)
  }
  const flags = checkFlags(given)
  const pages = command.pages?.(given) === true && !flags.json && !flags.jsonl && usesPager(argv, world)
  const paged = pages ? await collectOutput(world) : undefined
  const context = makeContext(world, flags, { modules, output: paged ?? world.terminal.output })
  try {
    await unlessStopped(command, world, async () => {
      await command.execute(context, given).finally(() => paged?.flush())
    })
  } catch (error) {
    throw faultOnSameServer(error, context)
  }
  await context.diagnostics.flush()
}

/** Parses the words of a command. Loads the parser, which `--version` does not need. */
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
  const { version, help } = parseGroup(isTop ? BRANCHES : entries, words, { ...place, meant })
  if (version) return await world.terminal.output.write(`${VERSION}\n`)
  await writeHelp(help + (await drawManual(about, place)), asked, world)
}

/** Loads and draws the further help of a command or group. */
async function drawManual(manual: AnyCommand['manual'], { columns }: Pick<Place, 'columns'>): Promise<string> {
  if (manual === undefined) return ''
  return `\n${drawHelp(await manual(), columns)}`
}

/** Writes help to stdout, in an interactive session through the user's pager if it is longer than the screen. */
async function writeHelp(help: string, argv: readonly string[], world: World): Promise<void> {
  const output = usesPager(argv, world) ? await collectOutput(world) : undefined
  await (output ?? world.terminal.output).write(help)
  await output?.flush()
}

/** Reports whether long output may go through the user's pager: in an interactive session, unless `--no-pager` is given. */
function usesPager(argv: readonly string[], world: World): boolean {
  const { settings, terminal } = world
  if ((settings.PAGER ?? '').trim() === '' || !terminal.output.isTerminal) return false
  return !hasFlag(argv, '--no-pager') && isPersonThere(world, { input: !hasFlag(argv, '--no-input') })
}

/** Loads the code for the pager, which most command lines do not need. */
async function collectOutput(world: World): Promise<PagedOutput> {
  const { makePagedOutput } = await import('./paged-output.ts')
  return makePagedOutput(world)
}

async function guesses(asked: readonly string[], words: readonly string[]): Promise<readonly string[]> {
  const { suggestCommands } = await import('./suggest-commands.ts')
  return suggestCommands(asked, words, await loadCatalogue())
}

function checkFlags(given: CommandLine): ReturnType<typeof globalFlags> {
  const flags = globalFlags(given.options)
  if (flags.json && flags.jsonl)
    throw new Fault('usage', '--json and --jsonl cannot be used together', { hint: 'give one of them' })
  if (flags.fields?.length === 0)
    throw new Fault('usage', '--fields is empty: expected at least one field', { hint: 'for example --fields id,text' })
  return flags
}

/** How long a command may take to stop cleanly after Ctrl-C, in milliseconds. */
const STOP_GRACE_MS = 1500

/**
 * Runs a command. After SIGINT or SIGTERM, rejects with a fault that describes the state left behind, when the work
 * stops or at the latest after the grace period.
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

/** Never resolves. Rejects if the work is interrupted and does not stop by itself within the grace period. */
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

/**
 * Returns the fault of an interruption, with the message of the code that stopped the work, else that of the command.
 */
function makeStopFault(command: AnyCommand, { interrupted }: Terminal, error: unknown): Fault {
  const own = error instanceof Fault && error.message !== '' ? error : undefined
  const more = { cause: error, ...(own && { hint: own.hint, next: [...own.next] }) }
  const code = interrupted.reason === 'SIGTERM' ? 'terminated' : 'cancelled'
  return new Fault(code, own?.message ?? `stopped. ${command.leaves}`, more)
}

/**
 * Returns the words of the command line in which `help COMMAND` is replaced by `COMMAND --help`, and `help` alone by
 * `--help`. `help` with a topic is unchanged.
 */
function helpWords(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  const [first, ...rest] = argv
  if (first !== 'help') return argv
  const named = rest.filter((word) => !word.startsWith('-'))
  return named.length > 0 && HELP_TOPICS.some((topic) => topic === named[0]) ? argv : [...named, '--help']
}

/** The output of a command, and the modules that it may load. */
type Resources = { modules: LazyModules; output: Output }

/** Creates the context of one run. Flags and streams decide the form of its output and whether it may prompt. */
function makeContext(world: World, flags: GlobalFlags, { modules, output }: Resources): Context {
  const { errors } = world.terminal
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

/**
 * Reports whether prompts are possible: stdin and stderr are terminals, `CI` is not set, and `--no-input` is not given.
 */
function isPersonThere({ terminal, settings }: World, flags: Pick<GlobalFlags, 'input'>): boolean {
  const ci = settings.CI !== undefined && settings.CI !== '' && settings.CI !== 'false' && settings.CI !== '0'
  return flags.input && !ci && terminal.input.isTerminal && terminal.errors.isTerminal
}
