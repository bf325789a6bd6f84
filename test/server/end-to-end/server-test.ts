import { test } from 'vitest'
import type { TestServer, TestServerOptions } from './server-kit.ts'

/** Creates a server over its own storage for the current test, or returns the reason why there is none. */
export type Start = (options?: TestServerOptions) => Promise<TestServer | { reason: string }>

/** Defines a test with its own server. */
export function serverTest(start: Start, sentence: string, body: (server: TestServer) => Promise<void>): void {
  serverTestWith(start, sentence, { body })
}

/** Defines a test with a server that was started with options. */
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
