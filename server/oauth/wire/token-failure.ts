import { OperationProcessingError, ResponseBodyError, UnsupportedOperationError } from 'oauth4webapi'
import { plainWords } from '../../providers/plain-words.ts'
import { type FailureKind, ProviderFailure } from '../../providers/provider-failure.ts'

/**
 * What a token endpoint refused or answered wrongly, as a failure that can be shown. Without its cause, which has the reply and
 * so may have tokens. Anything else is given back as it is.
 */
export function tokenFailureOf(error: unknown, { name, secrets }: { name: string; secrets: string[] }): unknown {
  if (error instanceof ResponseBodyError) {
    const code = plainWords(error.error, secrets)
    const description = plainWords(String(error.error_description ?? ''), secrets)
    const said = description === '' ? code : `${code} (${description})`
    return new ProviderFailure(KINDS[error.error] ?? 'contract_broken', `${name} refused: ${said}`)
  }
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new ProviderFailure('contract_broken', `${name} gave no usable token: ${error.message}`)
  return error
}

/**
 * What the errors of token endpoints mean: RFC 6749 sections 4.1.2.1 and 5.2, and those of
 * https://docs.slack.dev/reference/methods/oauth.v2.access. Null-prototype, since the words come from outside.
 */
const KINDS: Readonly<Record<string, FailureKind | undefined>> = Object.assign(Object.create(null), {
  invalid_grant: 'grant_dead',
  invalid_refresh_token: 'grant_dead',
  token_revoked: 'grant_dead',
  token_expired: 'grant_dead',
  account_inactive: 'grant_dead',
  invalid_client: 'auth_expired',
  unauthorized_client: 'auth_expired',
  invalid_client_id: 'auth_expired',
  bad_client_secret: 'auth_expired',
  server_error: 'transient',
  temporarily_unavailable: 'transient',
  internal_error: 'transient',
  fatal_error: 'transient',
  service_unavailable: 'transient',
  request_timeout: 'transient',
  ratelimited: 'rate_limited'
})
