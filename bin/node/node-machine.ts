import { accessSync, constants, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../src/ports.ts'

/** This machine, for whoever looks why something does not work. */
export const nodeMachine: Machine = {
  nodeVersion: process.versions.node,
  freeBytes(path) {
    return tryAsking(() => {
      const { bavail, blocks, bsize } = statfsSync(path)
      return blocks === 0 ? undefined : bavail * bsize
    })
  },
  mayWrite: (path) => tryAsking(() => accessSync(path, constants.W_OK) === undefined) === true,
  takesFolders(folder) {
    // What has no blocks may be no disk, as /proc, whatever its permissions say: only there it is tried.
    const taken = tryAsking(() => {
      if (statfsSync(folder).blocks === 0) rmdirSync(mkdtempSync(join(folder, 'memctl-')))
      return true
    })
    return taken === true
  }
}

function tryAsking<Value>(ask: () => Value): Value | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
