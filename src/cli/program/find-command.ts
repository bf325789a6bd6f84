import { type AnyCommand, type CommandGroup, type Entry, isGroup } from '../command/command.ts'
import { GLOBAL_OPTIONS } from '../command/global-options.ts'

/** The command or group that the first words of a command line name. */
export type FoundCommand = {
  /** Names, starting with that of the program. */
  path: string[]
  /** Summary of the last of these names. */
  summary: string
  /** Undefined if the words end at a group or continue with a name that the group does not have. */
  command: AnyCommand | undefined
  entries: readonly Entry[]
  /** Further help of the last group. */
  about?: CommandGroup['about'] | undefined
  /** All words except the names in `path`. */
  words: string[]
}

/** Follows the words through the groups and skips global flags. Interprets no other flag. */
export function findCommand(argv: readonly string[], entries: readonly Entry[]): FoundCommand {
  const found: FoundCommand = { path: ['memctl'], summary: '', command: undefined, entries, words: [] }
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    const entry = found.entries.find((one) => one.name === word)
    if (isFlag(word)) {
      found.words.push(word)
      if (takesValue(word) && at + 1 < argv.length) found.words.push(argv[++at] ?? '')
    } else if (entry === undefined) {
      return { ...found, words: [...found.words, ...argv.slice(at)] }
    } else {
      found.path.push(word)
      found.summary = entry.summary
      if (!isGroup(entry)) return { ...found, command: entry, words: [...found.words, ...argv.slice(at + 1)] }
      found.entries = entry.entries
      found.about = entry.about
    }
  }
  return found
}

/** Returns the first word that is neither a global flag nor the value of one. */
export function firstWord(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (!isFlag(word)) return word
    if (takesValue(word)) at++
  }
  return undefined
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-' && word !== '--'
}

const FLAGS_WITH_VALUE = GLOBAL_OPTIONS.filter((row) => row.flags.includes('<')).map((row) => row.flags.split(' ')[0])

function takesValue(word: string): boolean {
  return FLAGS_WITH_VALUE.includes(word)
}
