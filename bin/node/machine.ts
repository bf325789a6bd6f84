import { accessSync, constants, statfsSync } from 'node:fs'
import type { Machine } from '../../src/ports.ts'

/** This machine, for whoever looks why something does not work. */
export const nodeMachine: Machine = {
  nodeVersion: process.versions.node,
  freeBytes(path) {
    return answered(() => {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    })
  },
  mayWrite: (path) => answered(() => accessSync(path, constants.W_OK) === undefined) === true
}

function answered<Value>(ask: () => Value): Value | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
