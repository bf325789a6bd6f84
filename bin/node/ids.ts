import { randomBytes } from 'node:crypto'
import type { Ids } from '../../src/ports.ts'

/** Random bytes from the system. */
export const nodeIds: Ids = { randomHex: (bytes) => randomBytes(bytes).toString('hex') }
