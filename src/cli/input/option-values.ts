import { Fault } from '../../contract/faults.ts'
import type { Form } from '../../device/device.ts'
import type { Given } from '../command.ts'

type Options = Given['options']

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
