import { totalmem } from 'node:os'

/** What a child process may take where memory is plenty, and what it needs to start and to read an ordinary file, in bytes. */
const MEMORY = { MAX: 512 * 2 ** 20, MIN: 320 * 2 ** 20 } as const

/** Of what the machine or its container has, two children are to leave the server at least half. */
const SHARE = 1 / 4

/** How much memory a child process may take, in bytes. */
export function childMemory(): number {
  const all = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(all * SHARE, MEMORY.MIN), MEMORY.MAX)
}
