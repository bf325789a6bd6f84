import { Fault } from '../../contract/faults.ts'
import type { Given } from '../command.ts'
import { textOption } from './option-values.ts'

/** `--wait-timeout` in milliseconds; undefined where it is not given. */
export function waitOption(options: Given['options']): number | undefined {
  const text = textOption(options, 'waitTimeout')
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new Fault('usage', `--wait-timeout '${text}' is no duration`, { hint: 'for example --wait-timeout 10m' })
}

/** Milliseconds of `500ms`, `30s`, `10m`, `2h`, `3d` or `1w`; undefined where the text is none of them. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = text.trim().match(/^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|w)$/) ?? []
  const size = UNITS_MS[unit ?? '']
  return amount === undefined || size === undefined ? undefined : Math.round(Number(amount) * size)
}

const SECOND_MS = 1000
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 24 * 3600 * SECOND_MS,
  w: 7 * 24 * 3600 * SECOND_MS
}
