import type { Entry } from '../command.ts'
import { configureConnection } from '../commands/connections/configure-connection.ts'
import { disconnect } from '../commands/connections/disconnect.ts'
import { listChannels } from '../commands/connections/list-channels.ts'
import { listConnections } from '../commands/connections/list-connections.ts'
import { listFolders } from '../commands/connections/list-folders.ts'
import { listItems } from '../commands/connections/list-items.ts'
import { listRuns } from '../commands/connections/list-runs.ts'
import { pauseConnections, resumeConnections } from '../commands/connections/pause-connections.ts'
import { showConnection } from '../commands/connections/show-connection.ts'
import { syncConnections } from '../commands/connections/sync-connections.ts'
import { waitForConnections } from '../commands/connections/wait-for-connections.ts'

/** What stands below `memctl connections`. */
export const CONNECTIONS_COMMANDS: readonly Entry[] = [
  listConnections,
  showConnection,
  syncConnections,
  waitForConnections,
  listRuns,
  listItems,
  listFolders,
  listChannels,
  configureConnection,
  pauseConnections,
  resumeConnections,
  disconnect
]
