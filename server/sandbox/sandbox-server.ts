import { createHash } from 'node:crypto'
import type { Fetch } from '../../src/ports.ts'
import type { SandboxProvider } from './core/sandbox-provider.ts'
import { createSandbox, type SandboxOptions } from './create-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

export type SandboxServer = {
  fetch: Fetch
  /** The variables that point a server of ours at it. */
  environment: Readonly<Record<string, string>>
}

/**
 * The sandbox as a server of its own, for a socket that this machine alone can reach: every program of this machine may
 * control it. Its secret is known, so that tokens and the client's secret are the same after a restart; it protects made-up accounts only.
 */
export function createSandboxServer(
  origin: string,
  { world, sandboxProviders }: Pick<SandboxOptions, 'world' | 'sandboxProviders'>
): SandboxServer {
  const secret = createHash('sha256').update('the sandbox that runs alone').digest()
  const sandbox = createSandbox({
    base: `${origin}/sandbox`,
    secret,
    world,
    sandboxProviders,
    control: { allow: allowLocal }
  })
  return {
    fetch: async (request) => (isForThisMachine(request) ? await sandbox.fetch(request) : toMisdirected()),
    environment: toEnvironment(sandbox, sandboxProviders)
  }
}

function toMisdirected(): Response {
  const error = { message: 'the sandbox listens to this machine only', hint: 'call it 127.0.0.1 or localhost' }
  return Response.json({ error }, { status: 403 })
}

function toEnvironment(sandbox: Sandbox, sandboxProviders: readonly SandboxProvider[]): Record<string, string> {
  const pairs = sandboxProviders.flatMap(({ id }) => {
    const { clientId, clientSecret, authorizeUrl, tokenUrl, revokeUrl, apiUrl } = sandbox.provider(id)
    const values = {
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      AUTHORIZE_URL: authorizeUrl,
      TOKEN_URL: tokenUrl,
      ...(revokeUrl !== undefined && { REVOKE_URL: revokeUrl }),
      API_URL: apiUrl
    }
    return Object.entries(values).map(([name, value]) => [`MEMCTL_${id.toUpperCase()}_${name}`, value])
  })
  return { MEMCTL_PROVIDERS: sandboxProviders.map(({ id }) => id).join(','), ...Object.fromEntries(pairs) }
}

/** The ways to write this machine's own address, with or without a port. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Whether a request was meant for this machine: a name that was made to lead here (DNS rebinding) is another one. */
function isForThisMachine({ headers, url }: Request): boolean {
  const named = new URL(url).host
  return LOOPBACK.test(named) && LOOPBACK.test(headers.get('host') ?? named)
}

/**
 * Whether a program of this machine asks, and no page: for a sandbox that runs alone and listens to this machine only.
 * Browsers say `Origin` with whatever changes something, and `Sec-Fetch-Site` always.
 */
async function allowLocal(request: Request): Promise<boolean> {
  const site = request.headers.get('sec-fetch-site')
  const fromPage = request.headers.has('origin') || (site !== null && site !== 'none')
  return isForThisMachine(request) && !fromPage
}
