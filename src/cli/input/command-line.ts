import { Fault } from '../../contract/faults.ts'
import type { Form } from '../../device/device.ts'
import { parseDuration } from './parse-time.ts'

/** A positional word, in commander's notation. A missing one is reported with its `choices`. */
export type Word = { name: string; about: string; choices?: readonly string[] }

/** One flag, in commander's notation. With `repeat`, its value is a list of all that were given. */
export type OptionRow = { flags: string; about: string; repeat?: true }

/** The words and options of one command line, not yet understood by the command. */
export type CommandLine = {
  words: readonly string[]
  /** How many of the words, the last ones, stand after `--`. Absent where none do. */
  literal?: number
  options: Readonly<Record<string, unknown>>
}

type Options = CommandLine['options']

/** The text given to a flag, if any. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** All texts given to a flag that may be given more than once. */
export function textsOption(options: Options, name: string): string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A whole number given to a flag. Throws a usage fault where it is none, or outside its bounds. */
export function integerOption(
  options: Options,
  name: string,
  bounds: { least: number; most: number }
): number | undefined {
  const text = textOption(options, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= bounds.least && value <= bounds.most) return value
  throw new Fault('usage', `--${name} '${text}' is no whole number from ${bounds.least} to ${bounds.most}`, {
    hint: `for example --${name} ${Math.max(bounds.least, Math.min(bounds.most, 10))}`
  })
}

/** `--format` of commands that write a whole snapshot. */
export function formatOption(options: Options): Form | undefined {
  const text = textOption(options, 'format')
  if (text === undefined || text === 'jsonl' || text === 'json') return text
  throw new Fault('usage', `--format '${text}' is neither jsonl nor json`, { hint: '--format jsonl' })
}

/** `--wait-timeout` in milliseconds; undefined where it is not given. */
export function waitOption(options: Options): number | undefined {
  const text = textOption(options, 'waitTimeout')
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new Fault('usage', `--wait-timeout '${text}' is no duration`, { hint: 'for example --wait-timeout 10m' })
}
