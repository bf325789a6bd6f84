import type { Entry, Group } from './command.ts'
import { api } from './commands/api.ts'
import { authStatus } from './commands/auth/auth-status.ts'
import { login } from './commands/auth/login.ts'
import { logout } from './commands/auth/logout.ts'
import { createCollection } from './commands/collections/create-collection.ts'
import { deleteCollection } from './commands/collections/delete-collection.ts'
import { listCollections } from './commands/collections/list-collections.ts'
import { showCollection } from './commands/collections/show-collection.ts'
import { restoreCollection } from './commands/collections-restore/restore-collection.ts'
import { completion } from './commands/completion/completion.ts'
import { getSetting } from './commands/config/get-setting.ts'
import { listSettings } from './commands/config/list-settings.ts'
import { setSetting } from './commands/config/set-setting.ts'
import { settingsPath } from './commands/config/settings-path.ts'
import { unsetSetting } from './commands/config/unset-setting.ts'
import { connectProvider } from './commands/connect/connect.ts'
import { configureConnection } from './commands/connections/configure-connection.ts'
import { disconnect } from './commands/connections/disconnect.ts'
import { listChannels } from './commands/connections/list-channels.ts'
import { listConnections } from './commands/connections/list-connections.ts'
import { listFolders } from './commands/connections/list-folders.ts'
import { listItems } from './commands/connections/list-items.ts'
import { listRuns } from './commands/connections/list-runs.ts'
import { pauseConnections, resumeConnections } from './commands/connections/pause-connections.ts'
import { showConnection } from './commands/connections/show-connection.ts'
import { syncConnections } from './commands/connections/sync-connections.ts'
import { waitForConnections } from './commands/connections/wait-for-connections.ts'
import { compact } from './commands/device/compact.ts'
import { diff } from './commands/device/diff.ts'
import { exportCollection } from './commands/device/export-collection.ts'
import { forget } from './commands/device/forget.ts'
import { importSnapshot } from './commands/device/import-snapshot.ts'
import { init } from './commands/device/init.ts'
import { list } from './commands/device/list.ts'
import { merge } from './commands/device/merge.ts'
import { search } from './commands/device/search.ts'
import { show } from './commands/device/show.ts'
import { stats } from './commands/device/stats.ts'
import { store } from './commands/device/store.ts'
import { verify } from './commands/device/verify.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { help } from './commands/help/help.ts'
import { createKey } from './commands/keys/create-key.ts'
import { listKeys } from './commands/keys/list-keys.ts'
import { revokeKey } from './commands/keys/revoke-key.ts'
import { addMemory } from './commands/memories/add-memory.ts'
import { searchMemories } from './commands/memories/search-memories.ts'
import { listProviders } from './commands/providers.ts'
import { quickstart } from './commands/quickstart.ts'
import { rotateKey } from './commands/server/rotate-key.ts'
import { runSandbox } from './commands/server/run-sandbox.ts'
import { serverLogs } from './commands/server/server-logs.ts'
import { serverStatus } from './commands/server/server-status.ts'
import { startServer } from './commands/server/start-server.ts'
import { stopServer } from './commands/server/stop-server.ts'
import { listServerProviders } from './commands/server-providers/list-server-providers.ts'
import { setServerProvider } from './commands/server-providers/set-server-provider.ts'
import { version } from './commands/version.ts'

const DEVICE: Group = {
  name: 'device',
  summary: 'memories in a snapshot file on this machine',
  entries: [
    init,
    store,
    search,
    list,
    show,
    forget,
    exportCollection,
    importSnapshot,
    stats,
    verify,
    compact,
    diff,
    merge
  ]
}

const COLLECTIONS: Group = {
  name: 'collections',
  summary: 'sets of memories on a server',
  entries: [listCollections, createCollection, showCollection, deleteCollection, restoreCollection]
}

const MEMORIES: Group = {
  name: 'memories',
  summary: "memories in a server's collections",
  entries: [addMemory, searchMemories]
}

const CONNECTIONS: Group = {
  name: 'connections',
  summary: 'accounts that are linked to collections',
  entries: [
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
}

const SERVER_PROVIDERS: Group = {
  name: 'providers',
  summary: 'which services can be connected, and as whose client',
  entries: [listServerProviders, setServerProvider]
}

const SERVER: Group = {
  name: 'server',
  summary: 'the server on this machine',
  entries: [startServer, stopServer, serverStatus, serverLogs, SERVER_PROVIDERS, rotateKey, runSandbox],
  about: async () => (await import('./commands/help/server.ts')).SERVER_TEXT
}

const KEYS: Group = {
  name: 'keys',
  summary: 'who may do what on a server',
  entries: [listKeys, createKey, revokeKey]
}

const AUTH: Group = {
  name: 'auth',
  summary: 'your own keys, one for each server',
  entries: [login, authStatus, logout]
}

const CONFIG: Group = {
  name: 'config',
  summary: 'settings, and who set them',
  entries: [listSettings, getSetting, setSetting, unsetSetting, settingsPath]
}

/** Every command there is, as help lists them. */
export const CATALOGUE: readonly Entry[] = [
  quickstart,
  DEVICE,
  connectProvider,
  listProviders,
  CONNECTIONS,
  COLLECTIONS,
  MEMORIES,
  SERVER,
  KEYS,
  AUTH,
  api,
  CONFIG,
  doctor,
  completion,
  help,
  version
]
