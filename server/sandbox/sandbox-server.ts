import { createHash } from 'node:crypto'
import type { Fetch } from '../../src/ports.ts'
import type { SandboxProvider } from './core/sandbox-provider.ts'
import { createSandbox, type SandboxOptions } from './create-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

export type SandboxServer = {
  fetch: Fetch
  /** The environment variables that make a memctl server use this sandbox. */
  environment: Readonly<Record<string, string>>
}

/**
 * Creates the sandbox as a separate server for a loopback socket, which every program of this machine may control. Its
 * secret is public, so that tokens and the client's secret are the same after a restart. It protects only sandbox
 * accounts.
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
  const error = {
    message: 'the sandbox accepts only requests from this machine',
    hint: 'use the address 127.0.0.1 or localhost'
  }
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

/** Matches this machine's own address, with or without a port. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Reports whether a request was addressed to this machine. Any other name, such as one used for DNS rebinding, is
 * refused.
 */
function isForThisMachine({ headers, url }: Request): boolean {
  const named = new URL(url).host
  return LOOPBACK.test(named) && LOOPBACK.test(headers.get('host') ?? named)
}

/**
 * Allows requests from programs of this machine, but not from web pages. Browsers send `Origin` with every modifying
 * request, and always send `Sec-Fetch-Site`.
 */
async function allowLocal(request: Request): Promise<boolean> {
  const site = request.headers.get('sec-fetch-site')
  const fromPage = request.headers.has('origin') || (site !== null && site !== 'none')
  return isForThisMachine(request) && !fromPage
}
