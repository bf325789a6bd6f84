import type { StandInState } from '../core/stand-in-state.ts'
import type { ControlCall, ControlDesk } from './control-desk.ts'
import { ControlFlaw } from './control-flaw.ts'

/** Who is there, and how their content can be changed. */
export function listAccounts({ states }: ControlDesk): unknown {
  return [...states.values()].map((state) => ({
    provider: state.standIn.id,
    service: state.standIn.service,
    accounts: state.accounts().map(({ id, name, email }) => ({ id, name, email })),
    changes: Object.keys(state.standIn.changes)
  }))
}

/** Changes the content of an account, as if somebody had done so at the provider. */
export function changeContent({ states, clock }: ControlDesk, { params, input }: ControlCall): unknown {
  const { provider = '', account: named = '', change: name = '' } = params
  const state = found(states.get(provider), `provider ${provider}`, [...states.keys()])
  const account = found(accountOf(state, named), `account ${named}`, idsOf(state))
  const { changes } = state.standIn
  const change = found(Object.hasOwn(changes, name) ? changes[name] : undefined, `change ${name}`, Object.keys(changes))
  try {
    return change(account, input, { now: clock.now(), random: state.random })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ControlFlaw(422, `${name}: ${message}`, 'memctl server sandbox --help says what it takes')
  }
}

/** By its id or its address. */
function accountOf(state: StandInState, named: string) {
  return state.accounts().find(({ id, email }) => id === named || email === named)
}

function idsOf(state: StandInState): string[] {
  return state.accounts().map(({ id }) => id)
}

function found<T>(value: T | undefined, what: string, known: readonly string[]): T {
  if (value === undefined) throw new ControlFlaw(404, `there is no ${what}`, `there are ${known.join(', ')}`)
  return value
}
