import { hasFlag } from '../src/cli/command/global-options.ts'
import type { LazyModules } from '../src/cli/ports/lazy-modules.ts'
import { main } from '../src/cli/program/main.ts'
import type { Exchange } from '../src/ports.ts'
import { nodeWorld } from './node/node-world.ts'

/** Exit codes of a process that was told to stop. */
const STOPPED = [130, 143]

/** Calls of the client use the module that is loaded with it, which saves a file. */
const exchange: Exchange = async (request) => await (await import('./client-module.ts')).exchange(request)

/** Runs a command line in the real environment, and sets the exit code of the process. */
export async function runMemctl(argv: readonly string[]): Promise<void> {
  // Packages that draw on a terminal read only the variable.
  if (hasFlag(argv, '--no-color')) process.env.NO_COLOR = '1'
  const code = await main(argv, nodeWorld({ exchange }), modules)
  process.exitCode = code

  // Only here: the system has accepted all output, and remaining work was told to stop.
  if (STOPPED.includes(code)) process.exit()
}

/** The modules of the commands, each loaded by the first command that needs it. */
const modules: LazyModules = {
  device: async () => {
    const [{ deviceModule }, { tuneEngine }] = await Promise.all([
      import('./device-module.ts'),
      import('./node/threads/tune-engine.ts')
    ])
    tuneEngine()
    return deviceModule
  },
  client: async () => (await import('./client-module.ts')).clientModule,
  ingest: async () => {
    const [{ ingestModule }, { limitHeapGrowth }] = await Promise.all([
      import('./ingest-module.ts'),
      import('./node/threads/tune-engine.ts')
    ])
    limitHeapGrowth()
    return ingestModule
  },
  lock: async () => (await import('../src/snapshot/file/with-lock.ts')).withLock,
  server: async () => (await import('./server/make-server-host.ts')).makeServerHost(),
  mcp: async () => (await import('./mcp-module.ts')).mcpModule,
  machine: async () => (await import('./node/node-machine.ts')).nodeMachine
}
