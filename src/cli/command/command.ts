import { Fault } from '../../contract/faults.ts'
import type { CommandLine, OptionRow, Word } from '../input/command-line.ts'
import type { HelpBlock } from '../output/draw-help.ts'
import type { Context } from './context.ts'

/** A command: its words and options, a pure parser for them, and the function that runs it with the world. */
export type Command<Options> = {
  name: string
  /** An imperative phrase without a full stop, for the list of commands and for the top of the command's help. */
  summary: string
  /** Positional words, in commander's notation: `<query>`, `[file]`, `<ids...>`. */
  words?: readonly Word[]
  options: readonly OptionRow[]
  /** A paragraph of further help. */
  about?: string
  /** Longer help, printed below the examples and loaded only then. */
  manual?: () => Promise<readonly HelpBlock[]>
  /** At least one complete command line. */
  examples: readonly string[]
  /**
   * Set if the work of the command cannot react to a signal before its end. The default signal handling then stops the
   * process, which is safe, because every output file is written beside its target and then renamed.
   */
  blocks?: true
  /** Whether a run shows its output in the user's pager if it is longer than the screen. */
  pages?(given: CommandLine): boolean
  /** A sentence without a full stop on the state that an interruption leaves behind. */
  leaves: string
  /** Parses the command line. Throws a usage fault. */
  parse(given: CommandLine): Options
  run(context: Context, options: Options): Promise<void>
}

/** A command whose option type is hidden, so that commands of all types fit one table. */
export type AnyCommand = Omit<Command<never>, 'parse' | 'run'> & {
  execute(context: Context, given: CommandLine): Promise<void>
}

/** Combines the parser and the run of a command, so that commands of all types fit one table. */
export function defineCommand<Options>(command: Command<Options>): AnyCommand & Command<Options> {
  return { ...command, execute: (context, given) => command.run(context, command.parse(given)) }
}

/** The name of the command that completion scripts run for ids and names on the server. Help does not list it. */
export const LIVE_VALUES = '__complete'

/** A group of commands below a common word. */
export type CommandGroup = {
  name: string
  summary: string
  entries: readonly Entry[]
  /** Longer help, printed below the list of commands and loaded only then. */
  about?: () => Promise<readonly HelpBlock[]>
}

/** An entry in the list of commands. */
export type Entry = AnyCommand | CommandGroup

/** Reports whether an entry is a group. */
export function isGroup(entry: Entry): entry is CommandGroup {
  return 'entries' in entry
}

/** Yields the values until an interruption, which throws a `cancelled` fault. */
export function* untilStopped<Value>(values: Iterable<Value>, interrupted: AbortSignal): Generator<Value> {
  for (const value of values) {
    if (interrupted.aborted) throw new Fault('cancelled', '')
    yield value
  }
}
