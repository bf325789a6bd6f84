import { Fault } from '../../contract/faults.ts'
import type { Given } from '../command.ts'
import { textOption } from './option-values.ts'
import { parseDuration } from './parse-duration.ts'

/** `--wait-timeout` in milliseconds; undefined where it is not given. */
export function waitOption(options: Given['options']): number | undefined {
  const text = textOption(options, 'waitTimeout')
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new Fault('usage', `--wait-timeout '${text}' is no duration`, { hint: 'for example --wait-timeout 10m' })
}
