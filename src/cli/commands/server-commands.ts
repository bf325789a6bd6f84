import type { CommandGroup, Entry } from '../command/command.ts'
import { checkStorageCommand } from './server/check-storage-command.ts'
import { forgetCredentialsCommand } from './server/forget-credentials-command.ts'
import { listServerProvidersCommand } from './server/list-server-providers-command.ts'
import { rotateKeyCommand } from './server/rotate-key-command.ts'
import { runSandboxCommand } from './server/run-sandbox-command.ts'
import { serverLogsCommand } from './server/server-logs-command.ts'
import { serverStatusCommand } from './server/server-status-command.ts'
import { setServerProviderCommand } from './server/set-server-provider-command.ts'
import { startServerCommand } from './server/start-server-command.ts'
import { stopServerCommand } from './server/stop-server-command.ts'

const PROVIDERS: CommandGroup = {
  name: 'providers',
  summary: 'Manage the providers of the server and their OAuth clients',
  entries: [listServerProvidersCommand, setServerProviderCommand]
}

/** The subcommands of `memctl server`. */
export const SERVER_COMMANDS: readonly Entry[] = [
  startServerCommand,
  stopServerCommand,
  serverStatusCommand,
  serverLogsCommand,
  checkStorageCommand,
  PROVIDERS,
  rotateKeyCommand,
  forgetCredentialsCommand,
  runSandboxCommand
]
