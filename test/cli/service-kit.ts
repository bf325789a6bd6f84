import { startTestServer, type TestServer, type TestServerOptions } from '../server/end-to-end/server-kit.ts'
import type { DeviceWishes } from './fake-device.ts'
import type { HostWishes } from './fake-host.ts'
import type { Wishes } from './fake-world.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'
import { type Run, runCli } from './run-cli.ts'

/** Runs commands against a server in this process, down to its database. */
export type ServiceCli = {
  server: TestServer
  /** The user's files, kept between commands. */
  files: MemoryFiles
  /** Runs a command with the admin key, unless the environment sets another. */
  run(argv: readonly string[], wishes?: Wishes & DeviceWishes & HostWishes): Promise<Run>
  /** Creates a key with these grants. */
  makeKey(grants?: readonly { collection_id: string; permission: 'read' | 'edit' }[]): Promise<string>
}

/** Starts a new server at the default address. */
export async function serviceCli(options: TestServerOptions = {}): Promise<ServiceCli> {
  const server = await startTestServer(options)
  const files = memoryFiles()
  const fetch = (request: Request) => server.service.fetch(arrived(request), { address: '127.0.0.1' })
  return {
    server,
    files,
    run: (argv, wishes = {}) =>
      runCli(argv, { environment: { MEMCTL_API_KEY: server.adminKey }, files, fetch, ...wishes }),
    makeKey: async (grants = []) => {
      const { json } = await server.call('POST', '/v1/keys', { body: { name: 'test', grants } })
      return json.key
    }
  }
}

/** Adds the host header, as an HTTP listener does. */
function arrived(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('host', new URL(request.url).host)
  return new Request(request, { headers })
}
