import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { deviceModule } from '../../bin/device-module.ts'
import { nodeAssets } from '../../bin/node/node-assets.ts'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { nodeIds } from '../../bin/node/node-ids.ts'
import { nodeSelf } from '../../bin/node/node-self.ts'
import { main } from '../../src/cli/program/main.ts'
import type { Fetch } from '../../src/ports.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../server/end-to-end/server-kit.ts'
import { type FakeWorld, fakeWorld, type Wishes } from './fake-world.ts'
import { testModules } from './test-modules.ts'

export type TransferRun = FakeWorld['said'] & { code: number }

/** Runs commands on real files against a server in this process. */
export type TransferCli = {
  folder: string
  server: TestServer
  /** `fetch` receives the function that reaches the server, and may change requests or responses. */
  run(argv: readonly string[], wishes?: TransferWishes): Promise<TransferRun>
  /** Returns the file names in the folder. */
  names(): string[]
}

export type TransferWishes = Omit<Wishes, 'fetch' | 'files'> & { fetch?: (server: Fetch, world: FakeWorld) => Fetch }

/** Starts a new server and creates an empty working folder. */
export async function transferCli(options: TestServerOptions = {}): Promise<TransferCli> {
  const server = await startTestServer(options)
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-transfer-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folder = join(home, 'work')
  mkdirSync(folder)
  const reach: Fetch = (request) => server.service.fetch(arrived(request), { address: '127.0.0.1' })
  return {
    folder,
    server,
    names: () => readdirSync(folder).sort(),
    run: async (argv, { fetch = (plain: Fetch) => plain, ...wishes }: TransferWishes = {}) => {
      const fake = fakeWorld({ environment: { MEMCTL_API_KEY: server.adminKey }, ...wishes })
      const folders = { ...foldersIn(home), current: folder }
      const real = { assets: nodeAssets, clock: nodeClock, files: nodeFiles, ids: nodeIds, self: nodeSelf(), folders }
      const world = { ...fake, ...real, fetch: fetch(reach, fake) }
      const code = await main(argv, world, testModules(deviceModule))
      return { ...fake.said, code }
    }
  }
}

function foldersIn(home: string) {
  const folders = { home, config: join(home, 'config'), data: join(home, 'data'), cache: join(home, 'cache') }
  const temporary = join(home, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return { ...folders, temporary }
}

/** Adds the host header, as an HTTP listener does. */
function arrived(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('host', new URL(request.url).host)
  return new Request(request, { headers })
}
