import { createHash } from 'node:crypto'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids } from '../../src/ports.ts'
import { createFindCaller } from '../http/find-caller.ts'
import { checkOrigin } from '../http/request/check-origin.ts'
import { HTTP_DEFAULTS } from '../http/request/http-settings.ts'
import type { SandboxProvider } from '../sandbox/core/sandbox-provider.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Storage } from '../storage/port/storage.ts'

/** The path prefix of the sandbox, in a server that mounts it. */
export const SANDBOX_PREFIX = '/sandbox'

export type SandboxParts = {
  storage: Pick<Storage, 'findKeyByHash'>
  world: { clock: Clock; ids: Ids }
  /** The public address of the server, without a slash at the end. */
  publicUrl: string
  /** Its providers; all of them by default. */
  sandboxProviders?: readonly SandboxProvider[] | undefined
}

/**
 * Loads and creates the sandbox of a server. An admin key may control it.
 *
 * Its secret is public: it protects sandbox accounts only, and their tokens must be valid on every node and after a restart, whatever
 * happens to the keys of the vault.
 */
export async function mountSandbox(parts: SandboxParts): Promise<Sandbox> {
  const { storage, world, publicUrl } = parts
  const [{ createSandbox }, { SANDBOX_PROVIDERS }] = await Promise.all([
    import('../sandbox/create-sandbox.ts'),
    import('../sandbox/sandbox-providers.ts')
  ])
  const { wrongKeysPerMinute } = HTTP_DEFAULTS
  const findCaller = createFindCaller({ storage, clock: world.clock, wrongKeysPerMinute })
  const allow = async ({ headers }: Request): Promise<boolean> => {
    try {
      return (await findCaller(headers, SANDBOX_PREFIX)).admin
    } catch (error) {
      if (error instanceof Fault && error.code !== 'unavailable') return false
      throw error
    }
  }
  return createSandbox({
    base: `${publicUrl}${SANDBOX_PREFIX}`,
    secret: createHash('sha256').update('the sandbox inside of a server').digest(),
    world,
    sandboxProviders: parts.sandboxProviders ?? SANDBOX_PROVIDERS,
    control: { allow }
  })
}

/** Whether a request is for the sandbox. */
export function isForSandbox({ url }: Request): boolean {
  return new URL(url).pathname.startsWith(`${SANDBOX_PREFIX}/`)
}

/**
 * Forwards a request to the sandbox.
 *
 * @throws Fault `forbidden` as for every other request, if the server listens to this machine only.
 */
export async function forwardToSandbox(
  sandbox: Sandbox,
  request: Request,
  { publicUrl, loopback }: { publicUrl: string; loopback: boolean }
): Promise<Response> {
  if (loopback) checkOrigin(request, publicUrl)
  // A proxy may have removed a part of the path, but signatures cover the public address.
  const { pathname, search } = new URL(request.url)
  return await sandbox.fetch(new Request(`${publicUrl}${pathname}${search}`, request))
}
