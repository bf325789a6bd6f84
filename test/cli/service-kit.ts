import { startTestServer, type TestServer, type TestServerOptions } from '../server/end-to-end/server-kit.ts'
import type { DeviceWishes } from './fake-device.ts'
import type { HostWishes } from './fake-host.ts'
import type { Wishes } from './fake-world.ts'
import { type MemoryFiles, memoryFiles } from './memory-files.ts'
import { type Run, runCli } from './run-cli.ts'

/** Commands against a server, all in this process: from words to rows of a database and back. */
export type ServiceCli = {
  server: TestServer
  /** The files of the person, which stay from one command to the next. */
  files: MemoryFiles
  /** Runs a command with the admin's key, unless the environment says otherwise. */
  run(argv: readonly string[], wishes?: Wishes & DeviceWishes & HostWishes): Promise<Run>
  /** A key with these grants; none without. */
  makeKey(grants?: readonly { collection_id: string; permission: 'read' | 'edit' }[]): Promise<string>
}

/** A server at the default address, started for the first time. */
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

/** A request as a listener hands it on: with the host it was sent to. */
function arrived(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('host', new URL(request.url).host)
  return new Request(request, { headers })
}
