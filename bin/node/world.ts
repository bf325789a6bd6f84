import type { Exchange, World } from '../../src/ports.ts'
import { nodeAssets } from './assets.ts'
import { nodeBrowser } from './browser.ts'
import { nodeClock } from './clock.ts'
import { nodeFiles } from './files.ts'
import { nodeFolders } from './folders.ts'
import { nodeIds } from './ids.ts'
import { nodePreferences } from './preferences.ts'
import { nodeProcesses } from './processes.ts'
import { nodeSelf } from './self.ts'
import { nodeTerminal } from './terminal.ts'
import { nodeThreads } from './threads.ts'

/** The real world. What costs time or may be refused is asked for when it is first used. */
export function nodeWorld({ exchange }: { exchange: Exchange }): World {
  const folders = nodeFolders()
  let self: World['self'] | undefined
  return {
    clock: nodeClock,
    ids: nodeIds,
    files: nodeFiles,
    get self() {
      self ??= nodeSelf()
      return self
    },
    folders,
    settings: process.env,
    terminal: nodeTerminal(process.env),
    assets: nodeAssets,
    processes: nodeProcesses,
    browser: nodeBrowser(process.env),
    preferences: nodePreferences(folders),
    fetch: async (request) => await (await import('./fetch.ts')).nodeFetch(request),
    exchange,
    threads: nodeThreads
  }
}
