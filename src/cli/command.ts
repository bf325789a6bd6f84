import type { Context } from './context.ts'

/** A command: what it takes, a parser that understands it, and a run. The parser is pure; the run gets the world. */
export type Command<Options> = {
  name: string
  /** In the list of commands, and above its own help. */
  summary: string
  /** Positional words, in commander's notation: `<query>`, `[file]`, `<ids...>`. */
  words?: readonly Word[]
  options: readonly OptionRow[]
  /** Further help: what a person wants to know before using it. */
  about?: string
  /** What stands below its help, as it is. Loaded when it is asked for. */
  manual?: () => Promise<string>
  examples?: readonly string[]
  /**
   * Its work is one piece that hears no signal before it is over. The system's own way of stopping a process is left in
   * place for it, which is safe: whatever it writes is written beside and renamed.
   */
  blocks?: true
  /** What an interruption leaves behind, a sentence. */
  leaves: string
  /** Throws a usage fault. */
  parse(given: Given): Options
  run(context: Context, options: Options): Promise<void>
}

export type Word = { name: string; about: string }

/** One flag, in commander's notation. With `repeat`, its value is a list of all that were given. */
export type OptionRow = { flags: string; about: string; repeat?: true }

/** The words of one command line, told apart but not yet understood. */
export type Given = {
  words: readonly string[]
  /** How many of the words, the last ones, stand after `--`. Absent where none do. */
  literal?: number
  options: Readonly<Record<string, unknown>>
}

/** A command whose options nobody outside needs to know. */
export type AnyCommand = Omit<Command<never>, 'parse' | 'run'> & {
  execute(context: Context, given: Given): Promise<void>
}

/** Ties a command's parser and run together, so that commands of all kinds fit one table. */
export function defineCommand<Options>(command: Command<Options>): AnyCommand & Command<Options> {
  return { ...command, execute: (context, given) => command.run(context, command.parse(given)) }
}

/** Commands under one word. */
export type Group = {
  name: string
  summary: string
  entries: readonly Entry[]
  /** Further help, below the list of its commands. Loaded when it is asked for. */
  about?: () => Promise<string>
}

/** A line of the list of commands. */
export type Entry = AnyCommand | Group

/** Whether an entry is a group and not itself a command. */
export function isGroup(entry: Entry): entry is Group {
  return 'entries' in entry
}
