import type { Entry, Group } from '../../command.ts'
import { listServerProviders } from '../server-providers/list-server-providers.ts'
import { setServerProvider } from '../server-providers/set-server-provider.ts'
import { checkStorage } from './check-storage.ts'
import { rotateKey } from './rotate-key.ts'
import { runSandbox } from './run-sandbox.ts'
import { serverLogs } from './server-logs.ts'
import { serverStatus } from './server-status.ts'
import { startServer } from './start-server.ts'
import { stopServer } from './stop-server.ts'

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
