import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGrants, type Grants } from '../../../server/sandbox/core/grants.ts'
import { createSandboxClock } from '../../../server/sandbox/core/sandbox-clock.ts'
import { createSignedValues } from '../../../server/sandbox/core/signed-values.ts'
import { manualClock } from '../http/manual-clock.ts'

const RUNS = process.env.SLOW ? 3000 : 50
const REDIRECT = 'https://app.example.com/back'
const HOUR_MS = 3_600_000

/** The next step; numbers select among what exists by then. */
const step = fc.oneof(
  fc.record({ does: fc.constant('consent' as const), minutes: fc.nat(2) }),
  fc.record({ does: fc.constantFrom('redeem' as const, 'refresh' as const, 'revoke' as const), which: fc.nat(50) }),
  fc.record({ does: fc.constant('wait' as const), minutes: fc.nat(80) })
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

type Token = { access: string; refresh: string; until: number; grant: number; spent: boolean }

/** A model of a provider's tokens that remembers everything. */
type Known = {
  codes: { text: string; until: number; grant: number; used: boolean }[]
  tokens: Token[]
  dead: Set<number>
}

test('accepts exactly the valid codes and tokens after any steps', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, rotates) => {
      const clock = createSandboxClock(manualClock())
      let count = 0
      const ids = { randomHex: (bytes: number) => (++count).toString(16).padStart(2 * bytes, '0') }
      const signed = createSignedValues(new Uint8Array(32))
      const grants = createGrants({ provider: 'notes', signed, clock, ids })
      const known: Known = { codes: [], tokens: [], dead: new Set() }
      for (const one of steps) {
        take(one, { grants, known, rotates, now: () => clock.now(), advance: clock.advance })
        for (const token of known.tokens)
          expect(stateOf(grants, token.access)).toBe(expected(known, token, clock.now()))
      }
    }),
    { numRuns: RUNS }
  )
})

type Play = { grants: Grants; known: Known; rotates: boolean; now(): number; advance(ms: number): void }

function take(step: Step, play: Play): void {
  const { grants, known, now } = play
  const { codes, tokens } = known
  if (step.does === 'wait') play.advance(step.minutes * 60_000)
  else if (step.does === 'consent') {
    const text = grants.code({ accountId: 'A', scopes: [], redirectUri: REDIRECT, challenge: undefined })
    codes.push({ text, until: now() + 60_000, grant: codes.length, used: false })
    play.advance(step.minutes * 60_000)
  } else if (step.does === 'redeem') redeem(play, codes[step.which % Math.max(codes.length, 1)])
  else change(play, tokens[step.which % Math.max(tokens.length, 1)], step)
}

function change(play: Play, token: Token | undefined, { does, which }: { does: string; which: number }): void {
  if (token === undefined) return
  if (does === 'refresh') refresh(play, token)
  else {
    expect(play.grants.revoke(which % 2 === 0 ? token.access : token.refresh)).toBe(true)
    play.known.dead.add(token.grant)
  }
}

function redeem({ grants, known, now }: Play, code: Known['codes'][number] | undefined): void {
  if (code === undefined) return
  const got = grants.redeem(code.text, { redirectUri: REDIRECT, verifier: undefined })
  const right = !code.used && now() < code.until
  expect('refused' in got).toBe(!right)
  if (code.used) known.dead.add(code.grant)
  code.used = true
  if (!('refused' in got)) addTokens(known, grants.issue(got), { grant: code.grant, now: now() })
}

function refresh({ grants, known, rotates, now }: Play, token: Token): void {
  const got = grants.refresh(token.refresh, rotates)
  expect('refused' in got).toBe(known.dead.has(token.grant) || token.spent)
  if ('refused' in got) return
  token.spent = rotates
  addTokens(known, grants.issue(got), { grant: token.grant, now: now() })
}

function addTokens(
  known: Known,
  { accessToken: access, refreshToken: refresh }: { accessToken: string; refreshToken: string },
  { grant, now }: { grant: number; now: number }
): void {
  known.tokens.push({ access, refresh, until: now + HOUR_MS, grant, spent: false })
}

function stateOf(grants: Grants, token: string): string {
  const found = grants.check(token)
  return typeof found === 'string' ? found : 'good'
}

function expected({ dead }: Known, { grant, until }: Token, now: number): string {
  if (dead.has(grant)) return 'revoked'
  return until <= now ? 'expired' : 'good'
}
