import { hasFlag } from '../src/cli/command/global-options.ts'
import type { LazyModules } from '../src/cli/ports/lazy-modules.ts'
import { main } from '../src/cli/program/main.ts'
import type { Exchange } from '../src/ports.ts'
import { nodeWorld } from './node/node-world.ts'

/** Codes of a process that was told to stop. */
const STOPPED = [130, 143]

/** Calls of the client go through what is loaded with it: a file less. */
const exchange: Exchange = async (request) => await (await import('./client-module.ts')).exchange(request)

/** Runs one command line in the real world, and leaves its exit code to the process. */
export async function runMemctl(argv: readonly string[]): Promise<void> {
  // To the packages that draw on a terminal only the variable says so.
  if (hasFlag(argv, '--no-color')) process.env.NO_COLOR = '1'
  const code = await main(argv, nodeWorld({ exchange }), modules)
  process.exitCode = code

  // Only here: all that was written has been taken by the system, and what still runs was told to stop.
  if (STOPPED.includes(code)) process.exit()
}

/** The modules that commands use, each loaded by the first command that needs it. */
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
  lock: async () => (await import('../src/snapshot/file/with-lock.ts')).withLock,
  server: async () => (await import('./server/make-server-host.ts')).makeServerHost(),
  machine: async () => (await import('./node/node-machine.ts')).nodeMachine
}
