import type { Entry } from '../command/command.ts'
import { configureConnectionCommand } from './connections/configure-connection-command.ts'
import { disconnectCommand } from './connections/disconnect-command.ts'
import { listChannelsCommand } from './connections/list-channels-command.ts'
import { listConnectionsCommand } from './connections/list-connections-command.ts'
import { listFoldersCommand } from './connections/list-folders-command.ts'
import { listItemsCommand } from './connections/list-items-command.ts'
import { listRunsCommand } from './connections/list-runs-command.ts'
import { pauseConnectionsCommand, resumeConnectionsCommand } from './connections/pause-connections-command.ts'
import { showConnectionCommand } from './connections/show-connection-command.ts'
import { syncConnectionsCommand } from './connections/sync-connections-command.ts'
import { waitForConnectionsCommand } from './connections/wait-for-connections-command.ts'

/** The subcommands of `memctl connections`. */
export const CONNECTIONS_COMMANDS: readonly Entry[] = [
  listConnectionsCommand,
  showConnectionCommand,
  syncConnectionsCommand,
  waitForConnectionsCommand,
  listRunsCommand,
  listItemsCommand,
  listFoldersCommand,
  listChannelsCommand,
  configureConnectionCommand,
  pauseConnectionsCommand,
  resumeConnectionsCommand,
  disconnectCommand
]
