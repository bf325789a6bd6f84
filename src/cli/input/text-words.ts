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

/**
 * Returns the text that the words of a command are; undefined without words. `command` is what stores the content of a file,
 * up to its name.
 *
 * @throws Fault `usage` where the only words are paths of files or folders that exist (also `~/…`, a glob that the shell
 * expanded, a dangling link, and `-`), with the command that stores what is in them; and for several other words.
 */
export function textOfWords(
  world: Pick<World, 'files' | 'folders'>,
  { words, isText }: TextWords,
  command: string
): string | undefined {
  const [first, ...others] = words
  if (first === undefined) return undefined
  if (!isText) refusePaths(world, words, command)
  if (others.length === 0) return first
  throw new Fault('usage', `expected one text, received ${words.length} words`, {
    hint: `quote the text: ${command.replace(/ -f$/, '')} ${shellWord(words.join(' '))}`
  })
}

function refusePaths(world: Pick<World, 'files' | 'folders'>, words: readonly string[], command: string): void {
  const found = words.map((word) => ({ word, kind: findKind(world, word) }))
  const [first] = found
  if (first === undefined || found.some(({ kind }) => kind === undefined)) return
  if (found.length > 1) {
    const files = found.filter(({ kind }) => kind !== 'folder').map(({ word }) => shellWord(word))
    const each = `for file in ${files.join(' ')}; do ${command} "$file"; done`
    const isLong = files.length === 0 || files.length > NAMED_MAX
    throw new Fault('usage', `the ${words.length} words are paths of files or folders, not a text`, {
      hint: `store what is in the files: ${isLong ? `${command} FILE, for each` : each}`
    })
  }
  const { word, kind } = first
  const store = kind === 'folder' ? folderCommand(word, command) : `${command} ${shellWord(word)}`
  throw new Fault('usage', `'${word}' is ${KINDS[kind ?? 'other']}, not a text`, {
    hint: `${store} stores ${kind === 'folder' ? 'each text file in it' : 'what is in it'}; --text stores the word itself`,
    next: [store]
  })
}

/** Maximum number of paths that the hint lists. */
const NAMED_MAX = 5

const KINDS: Readonly<Record<Kind, string>> = {
  stdin: 'the name of stdin',
  file: 'the path of a file',
  folder: 'the path of a folder',
  link: 'the path of a link to nothing',
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
