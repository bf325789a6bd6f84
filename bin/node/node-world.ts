import { watch } from 'node:fs'
import type { Exchange, World } from '../../src/ports.ts'
import { nodeAssets } from './node-assets.ts'
import { nodeBrowser } from './node-browser.ts'
import { nodeClock } from './node-clock.ts'
import { nodeFiles } from './node-files.ts'
import { nodeFolders } from './node-folders.ts'
import { nodeIds } from './node-ids.ts'
import { nodePreferences } from './node-preferences.ts'
import { nodeProcesses } from './node-processes.ts'
import { nodeSelf } from './node-self.ts'
import { nodeTerminal } from './terminal/node-terminal.ts'
import { nodeThreads } from './threads/node-threads.ts'

/** Creates the real environment. Expensive or fallible parts are created on first use. */
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
    fetch: async (request) => await (await import('./http/node-fetch.ts')).nodeFetch(request),
    exchange,
    threads: nodeThreads,
    watchPath
  }
}

/** Watches a file, or a folder with all that is in it. Where the system refuses, nothing is reported. */
function watchPath(path: string, onChange: () => void): () => void {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, () => onChange())
    watcher.on('error', () => undefined)
    return () => watcher.close()
  } catch {
    return () => undefined
  }
}
