import { afterAll } from 'vitest'

/**
 * Restores the platform's classes after a test file. The server's HTTP library replaces them for the whole process, and
 * later files in the same process expect the originals.
 */
const { Request, Response } = globalThis

afterAll(() => {
  for (const [name, value] of Object.entries({ Request, Response }))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
})
