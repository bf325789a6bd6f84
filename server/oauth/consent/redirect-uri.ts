import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { OAuthSettings } from '../tokens/oauth-parts.ts'

/** Where a provider sends people back to. Providers compare it exactly with what was registered. */
export function redirectUri(
  { publicUrl }: Pick<OAuthSettings, 'publicUrl'>,
  { provider }: { provider: ProviderId }
): string {
  return `${publicUrl}/v1/oauth/callback/${provider}`
}
