import { GROUPS } from '../../../contract/groups.ts'
import { SELECTION_KEYS } from '../../../contract/selection-limits.ts'
import { type AnyCommand, type Entry, isGroup } from '../../command/command.ts'
import { GLOBAL_OPTIONS } from '../../command/global-options.ts'
import { HELP_TOPICS } from '../../command/help-topics.ts'
import type { LiveKind, OptionRow } from '../../input/command-line.ts'
import { SETTINGS_TABLE } from '../../settings/settings-table.ts'

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export type Shell = (typeof SHELLS)[number]

/** The completions after certain words. `path` is the words of a command or group; empty for the program itself. */
export type CompletionPlace = {
  path: string
  commands: readonly { name: string; about: string }[]
  flags: readonly CompletionFlag[]
  words: Value
}

/** A flag in all its forms. `value` is undefined if the flag takes none. */
export type CompletionFlag = { forms: readonly string[]; about: string; value: Value | undefined }

/** The kind of a value: a file, a folder, one of a few words, an object on the server or in the snapshot, or unknown to the shell. */
export type Value = 'file' | 'folder' | 'other' | LiveKind | readonly string[]

/** Values by the name of a placeholder in the help. */
export const VALUES: Readonly<Record<string, Value>> = {
  file: 'file',
  files: 'file',
  a: 'file',
  folder: 'folder',
  form: ['jsonl', 'json'],
  key: SETTINGS_TABLE.map(({ key }) => key),
  level: ['error', 'info', 'debug', 'silent'],
  method: ['GET', 'POST', 'PATCH', 'DELETE'],
  provider: Object.keys(SELECTION_KEYS),
  shell: SHELLS,
  topic: HELP_TOPICS
}

/** Values by flag, for flags whose placeholder has another meaning elsewhere. */
export const FLAG_VALUES: Readonly<Record<string, Value>> = {
  '--for': ['active', 'synced', 'healthy'],
  '--group': GROUPS
}

/** Returns the places of the program, from its root downwards. */
export function completionTable(entries: readonly Entry[]): CompletionPlace[] {
  return placesBelow('', entries)
}

/** The flags of every command. */
export const SHARED_FLAGS: readonly CompletionFlag[] = [
  ...GLOBAL_OPTIONS.map(toCompletionFlag),
  { forms: ['-h', '--help'], about: 'show this help', value: undefined }
]

const VERSION_FLAG: CompletionFlag = { forms: ['--version'], about: 'print the version', value: undefined }

function placesBelow(path: string, entries: readonly Entry[]): CompletionPlace[] {
  const commands = entries.map(({ name, summary }) => ({ name, about: summary }))
  const flags = path === '' ? [...SHARED_FLAGS, VERSION_FLAG] : SHARED_FLAGS
  const own: CompletionPlace = { path, commands, flags, words: 'other' }
  const below = entries.flatMap((entry) => {
    const there = path === '' ? entry.name : `${path} ${entry.name}`
    return isGroup(entry) ? placesBelow(there, entry.entries) : [commandPlace(there, entry, entries)]
  })
  return [own, ...below]
}

function commandPlace(path: string, command: AnyCommand, beside: readonly Entry[]): CompletionPlace {
  const flags = [...command.options.map(toCompletionFlag), ...SHARED_FLAGS]
  const word = command.words?.findLast(({ live }) => live !== undefined) ?? command.words?.[0]
  const topics = path === 'help' ? beside.map(({ name }) => name).filter((name) => !HELP_TOPICS.includes(name)) : []
  const words = word === undefined ? 'other' : (word.live ?? valueNamed(word.name))
  return { path, commands: [], flags, words: topics.length === 0 ? words : [...HELP_TOPICS, ...topics] }
}

function toCompletionFlag({ flags, about, live }: OptionRow): CompletionFlag {
  const parts = flags.split(/, | /)
  const forms = parts.filter((part) => part.startsWith('-'))
  const name = parts.find((part) => part.startsWith('<'))
  const own = live ?? forms.map((form) => FLAG_VALUES[form]).find((value) => value !== undefined)
  return { forms, about, value: name === undefined ? undefined : (own ?? valueNamed(name)) }
}

/** Returns the values for a placeholder such as `<file>` or `[files...]`. */
function valueNamed(written: string): Value {
  return VALUES[written.replace(/[<>[\].]/g, '')] ?? 'other'
}
