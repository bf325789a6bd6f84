import type { AnyCommand } from '../command/command.ts'
import { GLOBAL_OPTIONS } from '../command/global-options.ts'
import type { CommandLine, OptionRow, Word } from '../input/command-line.ts'

/**
 * The words of a command, where they are written plainly: `--flag`, `--flag value`, `--flag=value`, `-f value`, and as many
 * positional words as it takes. Undefined for all else, be it wrong, a call for help or just another way of writing: the
 * full parser decides. That one takes 10 ms to load, which is why this one is here; a test holds them to each other.
 */
export function readWords(
  command: Pick<AnyCommand, 'words' | 'options'>,
  words: readonly string[]
): CommandLine | undefined {
  const flags = readFlags([...command.options, ...GLOBAL_OPTIONS])
  const given: { words: string[]; literal?: number; options: Record<string, unknown> } = {
    words: [],
    options: defaults(flags)
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') {
      const literal = words.slice(at + 1)
      given.words.push(...literal)
      if (literal.length > 0) given.literal = literal.length
      break
    }
    if (!word.startsWith('-') || word === '-') {
      given.words.push(word)
      continue
    }
    const taken = takeFlag(flags, word, words[at + 1])
    if (taken === undefined) return undefined
    keep(given.options, taken)
    if (taken.usedNext) at++
  }
  return fits(command.words ?? [], given.words.length) ? given : undefined
}

type Flag = { name: string; key: string; value: boolean; negated: boolean; repeat: boolean }

type Taken = { flag: Flag; value: string | boolean; usedNext: boolean }

/** Flags by how they are written. */
function readFlags(rows: readonly OptionRow[]): Map<string, Flag> {
  const flags = new Map<string, Flag>()
  for (const { flags: written, repeat } of rows) {
    const [, short, long = '', value] = written.match(/^(?:(-\w), )?--([\w-]+)( <\w.*>)?$/) ?? []
    const negated = long.startsWith('no-')
    const name = negated ? long.slice('no-'.length) : long
    const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const flag = { name, key, value: value !== undefined, negated, repeat: repeat === true }
    flags.set(`--${long}`, flag)
    if (short !== undefined) flags.set(short, flag)
  }
  return flags
}

/** What can only be switched off is on. */
function defaults(flags: ReadonlyMap<string, Flag>): Record<string, unknown> {
  const on = [...flags.values()].filter((flag) => flag.negated && !flags.has(`--${flag.name}`))
  return Object.fromEntries(on.map((flag) => [flag.key, true]))
}

function takeFlag(flags: ReadonlyMap<string, Flag>, word: string, next: string | undefined): Taken | undefined {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1
  const flag = flags.get(equals < 0 ? word : word.slice(0, equals))
  if (flag === undefined || flag.value !== (equals >= 0 || (flag.value && next !== undefined))) return undefined
  if (!flag.value) return { flag, value: !flag.negated, usedNext: false }
  return equals < 0
    ? { flag, value: next ?? '', usedNext: true }
    : { flag, value: word.slice(equals + 1), usedNext: false }
}

function keep(options: Record<string, unknown>, { flag, value }: Taken): void {
  const before = options[flag.key]
  options[flag.key] = flag.repeat ? [...(Array.isArray(before) ? before : []), value] : value
}

function fits(words: readonly Word[], count: number): boolean {
  const least = words.filter(({ name }) => name.startsWith('<')).length
  const most = words.some(({ name }) => name.includes('...')) ? Number.POSITIVE_INFINITY : words.length
  return count >= least && count <= most
}
