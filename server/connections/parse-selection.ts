import type { ConnectionConfig } from '../../src/contract/connection.ts'
import type { InputOf } from '../../src/contract/endpoint.ts'
import type { updateConfig } from '../../src/contract/endpoints/connectors.ts'
import { Fault, type InputFault } from '../../src/contract/faults.ts'
import { selectionIds } from '../../src/contract/selection-ids.ts'
import type { SelectionKey } from '../../src/contract/selection-limits.ts'
import { CHANNELS_MAX, FOLDERS_MAX } from '../../src/contract/selection-limits.ts'

export type ConfigBody = InputOf<typeof updateConfig>['body']

/**
 * Returns the selection of a config update, which is under `config` or has its keys at the top of the body. Returns an
 * empty one if there is none.
 *
 * @throws Fault `usage` for an unsupported mode, `invalid_input` if both forms are used.
 */
export function readSelection({ config, apply, check_ids: _, ...flat }: ConfigBody): GivenSelection {
  if (apply !== 'full_resync') throw makeUnsupportedFault(apply)
  const keys = Object.entries(flat).filter(([, value]) => value !== undefined)
  if (config === undefined) return { config: flat, at: keys.length > 0 ? '' : 'config' }
  if (keys.length === 0) return { config, at: 'config' }
  throw invalid(
    keys.map(([path]) => ({ path, message: 'is given twice: send it either in `config` or beside `apply`' }))
  )
}

/** Builds the fault for an unsupported mode. The interface fixes its text. */
function makeUnsupportedFault(apply: string): Fault {
  return new Fault('usage', `Unsupported apply mode: '${apply}'. Supported: ['full_resync']`, {
    hint: 'omit `apply`'
  })
}

/** A selection as it was sent. `at` is its path in the body, empty at the top. */
export type GivenSelection = { config: Readonly<Record<string, unknown>>; at: string }

/** What a provider allows to be selected, with the rule for its ids. */
type SelectionRules = {
  /** The name of the provider on the wire. */
  provider: string
  /** Undefined if the provider has no selection. */
  key: SelectionKey | undefined
  driveIds: boolean
}

/**
 * Validates a selection and removes duplicates, so that it can be stored.
 *
 * @throws Fault `usage` if the provider has no selection, `invalid_input` naming every wrong id.
 */
export function parseSelection({ config, at }: GivenSelection, rules: SelectionRules): ConnectionConfig {
  const { provider, key, driveIds } = rules
  if (key === undefined) {
    throw new Fault('usage', `${provider} has no selection: the whole account is synced`, {
      hint: 'omit `config`'
    })
  }
  const given = config[key]
  const foreign = Object.keys(config).filter((name) => name !== key && config[name] !== undefined)
  const parsed = selectionIds(key, { driveIds }).safeParse(Array.isArray(given) ? given.slice(0, IDS_READ_MAX) : given)
  const errors = [
    ...foreign.map((name) => ({
      path: pathText(at, [name]),
      message: `is not supported by ${provider}, which uses ${key}`
    })),
    ...(given === undefined && foreign.length > 0 ? [] : (parsed.error?.issues ?? [])).map(({ path, message }) => ({
      path: pathText(at, [key, ...path]),
      message: given === undefined ? 'is missing: a selection needs at least one id' : message
    }))
  ]
  if (errors.length > 0 || !parsed.success) throw invalid(errors)
  return { [key]: parsed.data }
}

/** The number of ids of a list over the limit that are checked for the errors in the reply. */
const IDS_READ_MAX = 2 * Math.max(FOLDERS_MAX, CHANNELS_MAX)

/** Builds the fault `invalid_input` for a selection. */
export function invalid(errors: readonly InputFault[], hint = 'see /docs for the members of this endpoint'): Fault {
  const [first] = errors
  const words = first === undefined ? 'unknown' : `\`${first.path}\`: ${first.message}`
  return new Fault('invalid_input', `the selection is invalid: ${words}`, {
    errors,
    hint
  })
}

/** Formats a path such as `config.folder_ids[3]`. */
export function pathText(at: string, steps: readonly PropertyKey[]): string {
  const path = [...(at === '' ? [] : [at]), ...steps]
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)
}
