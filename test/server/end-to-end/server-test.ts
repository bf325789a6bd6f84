import { test } from 'vitest'
import type { TestServer, TestServerOptions } from './server-kit.ts'

/** Makes a server over a storage of its own for the test that is running; or says why there is none. */
export type Start = (options?: TestServerOptions) => Promise<TestServer | { reason: string }>

/** A test with a server of its own. */
export function serverTest(start: Start, sentence: string, body: (server: TestServer) => Promise<void>): void {
  serverTestWith(start, sentence, { body })
}

/** The same with a server that was started in another way. */
export function serverTestWith(
  start: Start,
  sentence: string,
  { options, body }: { options?: TestServerOptions; body: (server: TestServer) => Promise<void> }
): void {
  test(sentence, async ({ skip }) => {
    const server = await start(options)
    if ('reason' in server) return skip(server.reason)
    await body(server)
  })
}
