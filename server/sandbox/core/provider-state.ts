import type { Grants } from './grants.ts'
import { createSeededRandom } from './read-seed.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import type { SandboxAccount, SandboxProvider, SandboxRoute } from './sandbox-provider.ts'

/** The state of a running sandbox provider: its accounts and its issued tokens. */
export type ProviderState = {
  sandboxProvider: SandboxProvider
  /** The base URL, without a slash at the end. */
  base: string
  grants: Grants
  routes: RouteTable<Operation>
  /** Returns the accounts, which are created on first use. */
  accounts(): SandboxAccount[]
  random(): number
  reset(): void
}

/** A route, or an endpoint for consent or tokens. */
export type Operation = { method: string; path: string; operation: string; route?: SandboxRoute }

export const AUTHORIZE = 'oauth.authorize'
export const TOKEN = 'oauth.token'
export const REVOKE = 'oauth.revoke'

/** The end of seeded content: 2026-05-01T09:00:00Z. It is fixed so that the content is the same after a restart. */
const SEEDED_UNTIL = 1_777_626_000_000
const MONTH_MS = 30 * 24 * 3_600_000

type Parts = { sandboxProvider: SandboxProvider; base: string; grants: Grants; seed: string; now(): number }

/** Opens a sandbox provider with its initial content. */
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

/** Lists all operations of a sandbox provider, starting with its endpoints for consent and tokens. */
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

/**
 * Returns the end of seeded content. If the machine's clock is before the fixed time, uses the last multiple of thirty
 * days.
 */
function seededUntil(now: number): number {
  return now >= SEEDED_UNTIL ? SEEDED_UNTIL : now - (now % MONTH_MS)
}
