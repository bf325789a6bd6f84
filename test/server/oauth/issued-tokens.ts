import { createHash, randomBytes } from 'node:crypto'
import type { OAuthFacts } from '../../../server/providers/port/provider.ts'
import type { Clock } from '../../../src/ports.ts'

/** The tokens that the test provider has issued. */
export type IssuedTokens = {
  /** All secrets that it issued or received. */
  secrets: string[]
  settings: IssueSettings
  /** Issues a code for the parameters of a consent page. */
  code(asked: URLSearchParams, account: string): string
  /** Returns the account of a code if all parameters match. A code works once. */
  take(parameters: URLSearchParams): string | undefined
  /** Issues the members of a token reply. */
  issue(account: string, refreshToken?: string): Record<string, unknown>
  /** Returns the account of a valid access or refresh token. */
  owner(text: string, kind?: Token['kind']): string | undefined
  end(which: (token: Token, text: string) => boolean): void
  some(which: (token: Token) => boolean): boolean
}

export type IssueSettings = {
  expiresInSeconds: number | undefined
  rotates: boolean
  scope: string | undefined
  refreshes: boolean
}

export type Token = { account: string; kind: 'access' | 'refresh'; until: number }

type Code = { account: string; asked: URLSearchParams; used: boolean }

export function issuedTokens(facts: OAuthFacts, clock: Clock): IssuedTokens {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Token>()
  const settings: IssueSettings = { expiresInSeconds: 3600, rotates: true, scope: undefined, refreshes: true }
  const secrets: string[] = []
  return {
    secrets,
    settings,
    code(asked, account) {
      const code = secret('code')
      codes.set(code, { account, asked, used: false })
      return code
    },
    take(parameters) {
      const code = codes.get(parameters.get('code') ?? '')
      const isSame = code?.asked.get('redirect_uri') === parameters.get('redirect_uri')
      if (!code || code.used || !isSame || !isProven(code, parameters.get('code_verifier'))) return undefined
      code.used = true
      return code.account
    },
    issue(account, refreshToken) {
      const { expiresInSeconds, scope, refreshes } = settings
      const access = give(account, 'access', expiresInSeconds)
      const refresh = refreshToken ?? (refreshes ? give(account, 'refresh', undefined) : null)
      return {
        access_token: access,
        ...(facts.tokenRequest === 'form' && { token_type: facts.tokensUnder ? 'user' : 'Bearer' }),
        ...(expiresInSeconds !== undefined && { expires_in: expiresInSeconds }),
        refresh_token: refresh,
        ...(facts.scopes.length > 0 && { scope: scope ?? facts.scopes.join(facts.scopeSeparator) })
      }
    },
    owner(text, kind) {
      const token = tokens.get(text)
      return token && token.until > clock.now() && (kind ?? token.kind) === token.kind ? token.account : undefined
    },
    end(which) {
      for (const [text, token] of tokens) if (which(token, text)) tokens.delete(text)
    },
    some: (which) => [...tokens.values()].some(which)
  }

  function secret(kind: string): string {
    const made = `${kind}-${randomBytes(24).toString('base64url')}`
    secrets.push(made)
    return made
  }

  function give(account: string, kind: Token['kind'], lifeSeconds: number | undefined): string {
    const text = secret(kind)
    const lifeMs = lifeSeconds === undefined ? Number.POSITIVE_INFINITY : lifeSeconds * 1000
    tokens.set(text, { account, kind, until: clock.now() + lifeMs })
    return text
  }

  function isProven({ asked }: Code, verifier: string | null): boolean {
    const challenge = asked.get('code_challenge')
    if (!facts.pkce) return challenge === null && verifier === null
    if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false
    secrets.push(verifier)
    return createHash('sha256').update(verifier).digest('base64url') === challenge
  }
}
