import type { Entry, Group } from '../command.ts'
import { checkStorage } from '../commands/server/check-storage.ts'
import { rotateKey } from '../commands/server/rotate-key.ts'
import { runSandbox } from '../commands/server/run-sandbox.ts'
import { serverLogs } from '../commands/server/server-logs.ts'
import { serverStatus } from '../commands/server/server-status.ts'
import { startServer } from '../commands/server/start-server.ts'
import { stopServer } from '../commands/server/stop-server.ts'
import { listServerProviders } from '../commands/server-providers/list-server-providers.ts'
import { setServerProvider } from '../commands/server-providers/set-server-provider.ts'

const PROVIDERS: Group = {
  name: 'providers',
  summary: 'which services can be connected, and as whose client',
  entries: [listServerProviders, setServerProvider]
}

/** What stands below `memctl server`. */
export const SERVER_COMMANDS: readonly Entry[] = [
  startServer,
  stopServer,
  serverStatus,
  serverLogs,
  checkStorage,
  PROVIDERS,
  rotateKey,
  runSandbox
]
