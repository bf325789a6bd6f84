import { join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { FileKind, World } from '../../ports.ts'
import { shellWord } from '../output/short-forms.ts'
import type { CommandLine, OptionRow } from './command-line.ts'
import { resolveInputPath } from './read-input-text.ts'

/** The option of commands that take a text as words. */
export const TEXT_OPTION: OptionRow = {
  flags: '--text',
  about: 'treat the words as text, even if they name a file'
}

/** The words of a command that takes a text. `isText`: `--text` or `--` marks them as a text, not a path. */
export type TextWords = { words: readonly string[]; isText: boolean }

/** Returns the words as given. Only the run can check whether they name a file. */
export function textWords({ words, literal = 0, options }: CommandLine): TextWords {
  return { words, isText: options.text === true || (words.length > 0 && literal === words.length) }
}

/** Commands without the path at their end: `file` stores a file as one text, and `ingest` what is in a file or folder. */
export type PathCommands = { file: string; ingest?: string }

/**
 * Returns the text that the arguments of a command form, or undefined without arguments. Throws a `usage` fault with the
 * commands that store the contents if all arguments are paths that exist (also `~/…`, the result of a glob, a broken
 * link, or `-`), and a `usage` fault if there are several other arguments.
 */
export function textOfWords(
  world: Pick<World, 'files' | 'folders'>,
  { words, isText }: TextWords,
  commands: PathCommands
): string | undefined {
  const [first, ...others] = words
  if (first === undefined) return undefined
  if (!isText) refusePaths(world, words, commands)
  if (others.length === 0) return first
  throw new Fault('usage', `expected one text, received ${words.length} words`, {
    hint: `quote the text: ${commands.file.replace(/ -f$/, '')} ${shellWord(words.join(' '))}`
  })
}

function refusePaths(
  world: Pick<World, 'files' | 'folders'>,
  words: readonly string[],
  { file: command, ingest }: PathCommands
): void {
  const found = words.map((word) => ({ word, kind: findKind(world, word) }))
  const [first] = found
  if (first === undefined || found.some(({ kind }) => kind === undefined)) return
  if (found.length > 1) {
    const files = found.filter(({ kind }) => kind !== 'folder').map(({ word }) => shellWord(word))
    const store = ingest ?? command
    const each = `for file in ${files.join(' ')}; do ${store} "$file"; done`
    const isLong = files.length === 0 || files.length > NAMED_MAX
    throw new Fault('usage', `the ${words.length} arguments are paths of files or folders: expected a text`, {
      hint: `to store the contents of the files: ${isLong ? `${store} FILE, for each` : each}`
    })
  }
  const { word, kind } = first
  if (ingest !== undefined && (kind === 'file' || kind === 'folder')) {
    const whole = kind === 'file' ? [`${command} ${shellWord(word)}`] : []
    const asOne = whole.map((one) => `; ${one} stores it as one memory`).join('')
    throw new Fault('usage', `'${word}' is ${KINDS[kind]}: expected a text`, {
      hint: `${ingest} ${shellWord(word)} stores its contents${asOne}; --text stores the argument itself`,
      next: [`${ingest} ${shellWord(word)}`, ...whole]
    })
  }
  const store = kind === 'folder' ? folderCommand(word, command) : `${command} ${shellWord(word)}`
  throw new Fault('usage', `'${word}' is ${KINDS[kind ?? 'other']}: expected a text`, {
    hint: `${store} stores ${kind === 'folder' ? 'each text file in it' : 'its contents'}; --text stores the argument itself`,
    next: [store]
  })
}

/** Maximum number of paths that the hint lists. */
const NAMED_MAX = 5

const KINDS: Readonly<Record<Kind, string>> = {
  stdin: 'the name for stdin',
  file: 'the path of a file',
  folder: 'the path of a folder',
  link: 'the path of a broken link',
  other: 'the path of a device or socket'
}

type Kind = 'stdin' | FileKind

/** Longer words are not checked, because no system has such paths. */
const PATH_CHARACTERS_MAX = 4096

/** Returns the kind of file that a word names; undefined if none exists or the system refuses to tell. */
function findKind({ files, folders }: Pick<World, 'files' | 'folders'>, word: string): Kind | undefined {
  if (word === '-') return 'stdin'
  if (word === '' || word.length > PATH_CHARACTERS_MAX || /[\0\n]/.test(word)) return undefined
  const path =
    word === '~' || word.startsWith('~/') ? join(folders.home, word.slice(1)) : resolveInputPath({ folders }, word)
  try {
    const facts = files.find(path) ?? files.findEntry(path)
    return facts?.kind
  } catch {
    return undefined
  }
}

function folderCommand(folder: string, command: string): string {
  return `find ${shellWord(folder)} -type f -exec ${command} {} \\;`
}
