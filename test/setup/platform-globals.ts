import { afterAll } from 'vitest'

/**
 * The server's HTTP library puts classes of its own into the place of these, for the whole process. Files that are tested in
 * one process after it expect the platform's.
 */
const { Request, Response } = globalThis

afterAll(() => {
  for (const [name, value] of Object.entries({ Request, Response }))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
})
