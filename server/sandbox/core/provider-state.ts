import type { Grants } from './grants.ts'
import { createSeededRandom } from './read-seed.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import type { SandboxAccount, SandboxProvider, SandboxRoute } from './sandbox-provider.ts'

/** A sandbox provider at work: its accounts as they are now, and what it gave out. */
export type ProviderState = {
  sandboxProvider: SandboxProvider
  /** Where it is, without a slash at the end. */
  base: string
  grants: Grants
  routes: RouteTable<Operation>
  /** Made when they are first asked for. */
  accounts(): SandboxAccount[]
  random(): number
  reset(): void
}

/** A route, or one of the addresses of consent and tokens. */
export type Operation = { method: string; path: string; operation: string; route?: SandboxRoute }

export const AUTHORIZE = 'oauth.authorize'
export const TOKEN = 'oauth.token'
export const REVOKE = 'oauth.revoke'

/** When seeded content ends, so that it is the same after a restart: 2026-05-01T09:00:00Z. */
const SEEDED_UNTIL = 1_777_626_000_000
const MONTH_MS = 30 * 24 * 3_600_000

type Parts = { sandboxProvider: SandboxProvider; base: string; grants: Grants; seed: string; now(): number }

/** A sandbox provider with its first content. */
export function openProvider({ sandboxProvider, base, grants, seed, now }: Parts): ProviderState {
  let random = createSeededRandom(`${seed} ${sandboxProvider.id}`)
  let accounts: SandboxAccount[] | undefined
  return {
    sandboxProvider,
    base,
    grants,
    routes: createRouteTable(listOperations(sandboxProvider)),
    accounts() {
      accounts ??= sandboxProvider.accounts({ now: seededUntil(now()), random })
      return accounts
    },
    random: () => random(),
    reset() {
      random = createSeededRandom(`${seed} ${sandboxProvider.id}`)
      accounts = undefined
      grants.reset()
    }
  }
}

/** All that may be asked of a sandbox provider, its addresses of consent and tokens first. */
export function listOperations({ oauth, routes }: SandboxProvider): Operation[] {
  const { authorizePath, tokenPath, revokePath } = oauth
  return [
    { method: 'GET', path: authorizePath, operation: AUTHORIZE },
    { method: 'POST', path: authorizePath, operation: AUTHORIZE },
    { method: 'POST', path: tokenPath, operation: TOKEN },
    ...(revokePath === undefined ? [] : [{ method: 'POST', path: revokePath, operation: REVOKE }]),
    ...routes.map((route) => ({ method: route.method, path: route.path, operation: route.operation, route }))
  ]
}

/** On a machine whose clock is before that: the last time that thirty days were over. */
function seededUntil(now: number): number {
  return now >= SEEDED_UNTIL ? SEEDED_UNTIL : now - (now % MONTH_MS)
}
