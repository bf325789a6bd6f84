import { PROVIDERS } from '../../server/providers/providers.ts'
import { createSandbox } from '../../server/sandbox/create-sandbox.ts'
import { SANDBOX_PROVIDERS } from '../../server/sandbox/sandbox-providers.ts'
import { describeProviders } from '../../server/service/describe-providers.ts'
import { SANDBOX_PREFIX } from '../../server/service/mount-sandbox.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import type { ServerProvider } from '../../src/contract/running-server.ts'
import { toListenerOrigin } from '../node/http/listen.ts'
import { nodeClock } from '../node/node-clock.ts'
import { nodeIds } from '../node/node-ids.ts'

/** Describes each provider as a server with these settings would configure it. */
export function listServerProviders(settings: ServerSettings): ServerProvider[] {
  const { host, port, publicUrl = toListenerOrigin(host, { port, address: host, family: '' }) } = settings
  // Only used for its URLs; nothing is signed.
  const sandbox = createSandbox({
    base: `${publicUrl}${SANDBOX_PREFIX}`,
    secret: new Uint8Array(32),
    world: { clock: nodeClock, ids: nodeIds },
    sandboxProviders: SANDBOX_PROVIDERS
  })
  return describeProviders(settings, PROVIDERS, sandbox.provider)
}
