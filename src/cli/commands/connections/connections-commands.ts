import type { Entry } from '../../command.ts'
import { configureConnection } from './configure-connection.ts'
import { disconnect } from './disconnect.ts'
import { listChannels } from './list-channels.ts'
import { listConnections } from './list-connections.ts'
import { listFolders } from './list-folders.ts'
import { listItems } from './list-items.ts'
import { listRuns } from './list-runs.ts'
import { pauseConnections, resumeConnections } from './pause-connections.ts'
import { showConnection } from './show-connection.ts'
import { syncConnections } from './sync-connections.ts'
import { waitForConnections } from './wait-for-connections.ts'

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
