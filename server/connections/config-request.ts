import type { InputOf } from '../../src/contract/endpoint.ts'
import type { updateConfig } from '../../src/contract/endpoints/connectors.ts'
import { Fault } from '../../src/contract/faults.ts'
import { type GivenSelection, invalid } from './parse-selection.ts'

export type ConfigBody = InputOf<typeof updateConfig>['body']

/**
 * The selection of a config update: under `config`, or with its keys at the top of the body. Empty where there is none.
 *
 * @throws Fault `usage` for a mode that is not supported, `invalid_input` where both forms are used at once.
 */
export function selectionOf({ config, apply, check_ids: _, ...flat }: ConfigBody): GivenSelection {
  if (apply !== 'full_resync') throw unsupported(apply)
  const keys = Object.entries(flat).filter(([, value]) => value !== undefined)
  if (config === undefined) return { config: flat, at: keys.length > 0 ? '' : 'config' }
  if (keys.length === 0) return { config, at: 'config' }
  throw invalid(keys.map(([path]) => ({ path, message: 'stands beside `config`: give one of them' })))
}

/** In the words that the interface has for it. */
function unsupported(apply: string): Fault {
  return new Fault('usage', `Unsupported apply mode: '${apply}'. Supported: ['full_resync']`, {
    hint: 'leave `apply` out'
  })
}
