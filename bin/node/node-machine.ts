import { accessSync, constants, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../src/ports.ts'

/** Facts about this machine for diagnostics. */
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
    // A file system without blocks, such as /proc, may refuse files whatever its permissions say. Only there a write is
    // attempted.
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
