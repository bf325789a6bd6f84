import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'

/** Creates a server for a connection. A client may open one to ask for the revisions, and then another. */
export type CreateServer = () => Server

export type StdioStreams = { input: Readable; output: Writable }

/**
 * Serves one client over a pair of streams with the servers that `create` returns, in both forms of the protocol: the one that opens with
 * `initialize`, and the stateless one. Resolves when the input has ended, the output is closed, or the signal is
 * aborted.
 */
export async function serveStdio(
  create: CreateServer,
  { input, output }: StdioStreams,
  signal: AbortSignal
): Promise<void> {
  const transport = new StdioServerTransport(input, output)
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve()
    signal.addEventListener('abort', end, { once: true })
    for (const event of ['end', 'close', 'error']) input.once(event, end)
    for (const event of ['close', 'error']) output.once(event, end)
    if (signal.aborted || input.readableEnded || input.destroyed) end()
  })
  const handle = serve(create, { transport })
  await ended
  await handle.close()
}
