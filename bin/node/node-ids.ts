import type { Ids } from '../../src/ports.ts'

/** Random bytes from the system. The crypto module is loaded on first use, because most commands need none. */
export const nodeIds: Ids = {
  randomHex: (bytes) => process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex')
}
