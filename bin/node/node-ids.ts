import type { Ids } from '../../src/ports.ts'

/** Random bytes from the system. What makes them is loaded when the first are wanted: most commands want none. */
export const nodeIds: Ids = {
  randomHex: (bytes) => process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex')
}
