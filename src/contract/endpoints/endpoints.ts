import * as collections from './collections.ts'
import * as connectors from './connectors.ts'
import * as deviceMemory from './device-memory.ts'
import * as keys from './keys.ts'
import * as mcp from './mcp.ts'
import * as memories from './memories.ts'
import * as oauth from './oauth.ts'
import * as service from './service.ts'
import * as sync from './sync.ts'
import * as vault from './vault.ts'

/** All endpoints of the service, by the name of their method in the client. */
export const ENDPOINTS = {
  createCollection: collections.createCollection,
  listCollections: collections.listCollections,
  getCollection: collections.getCollection,
  deleteCollection: collections.deleteCollection,
  restoreRecords: collections.restoreRecords,
  readChanges: collections.readChanges,
  createKey: keys.createKey,
  listKeys: keys.listKeys,
  revokeKey: keys.revokeKey,
  storeMemory: memories.storeMemory,
  searchMemories: memories.searchMemories,
  callMcp: mcp.callMcp,
  exportSnapshot: deviceMemory.exportSnapshot,
  importSnapshot: deviceMemory.importSnapshot,
  listProviders: connectors.listProviders,
  connectProvider: connectors.connectProvider,
  getAttempt: connectors.getAttempt,
  listConnections: connectors.listConnections,
  getConnection: connectors.getConnection,
  listFolders: connectors.listFolders,
  listChannels: connectors.listChannels,
  updateConfig: connectors.updateConfig,
  disconnect: connectors.disconnect,
  syncConnection: sync.syncConnection,
  listRuns: sync.listRuns,
  getRun: sync.getRun,
  listItems: sync.listItems,
  retryItem: sync.retryItem,
  getSchedule: sync.getSchedule,
  pauseConnection: sync.pauseConnection,
  resumeConnection: sync.resumeConnection,
  receiveCallback: oauth.receiveCallback,
  confirmConsent: oauth.confirmConsent,
  rotateVaultKey: vault.rotateVaultKey,
  getHealth: service.getHealth,
  getReadiness: service.getReadiness,
  getMetrics: service.getMetrics,
  getOpenApi: service.getOpenApi,
  getDocs: service.getDocs
} as const

export type Endpoints = typeof ENDPOINTS

export type EndpointName = keyof Endpoints
