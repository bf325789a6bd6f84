import { Fault } from '../../contract/faults.ts'
import type { Form } from '../../device/device.ts'
import { parseDuration } from './parse-time.ts'

/**
 * A kind of object whose ids and names a completion script offers: on the server, or `memory` in the local snapshot. For `run`, it
 * offers connections until the command line names one, and then the runs of that one.
 */
export type LiveKind = 'collection' | 'connection' | 'key' | 'run' | 'memory'

/** A positional word, in commander's notation. A missing one is reported with its `choices`. */
export type Word = { name: string; about: string; choices?: readonly string[]; live?: LiveKind }

/** A flag in commander's notation. With `repeat`, its value is the list of all values given. */
export type OptionRow = { flags: string; about: string; repeat?: true; live?: LiveKind }

/** The words and options of a command line, before the command interprets them. */
export type CommandLine = {
  words: readonly string[]
  /** The number of words after `--`, which are the last ones. Absent without any. */
  literal?: number
  options: Readonly<Record<string, unknown>>
}

type Options = CommandLine['options']

/** Returns the value of a flag, if it is given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns all values of a flag that can be repeated. */
export function textsOption(options: Options, name: string): string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Returns the whole number given to a flag. Throws a usage fault for any other text and for a number out of bounds. */
export function integerOption(
  options: Options,
  name: string,
  bounds: { least: number; most: number }
): number | undefined {
  const text = textOption(options, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= bounds.least && value <= bounds.most) return value
  throw new Fault(
    'usage',
    `invalid --${name} '${text}': expected a whole number from ${bounds.least} to ${bounds.most}`,
    {
      hint: `for example --${name} ${Math.max(bounds.least, Math.min(bounds.most, 10))}`
    }
  )
}

/** Returns `--format` of commands that write a snapshot. */
export function formatOption(options: Options): Form | undefined {
  const text = textOption(options, 'format')
  if (text === undefined || text === 'jsonl' || text === 'json') return text
  throw new Fault('usage', `invalid --format '${text}': expected jsonl or json`, { hint: '--format jsonl' })
}

/** Returns `--wait-timeout` in milliseconds, or undefined if it is not given. */
export function waitOption(options: Options): number | undefined {
  const text = textOption(options, 'waitTimeout')
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new Fault('usage', `invalid --wait-timeout '${text}': expected a number and a unit, such as 30s or 10m`, {
    hint: 'for example --wait-timeout 10m'
  })
}
