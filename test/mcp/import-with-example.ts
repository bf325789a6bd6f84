import { onTestFinished, vi } from 'vitest'
import type * as Module from '../../src/mcp/protocol/create-mcp-server.ts'
import { createConformanceServer } from './create-conformance-server.ts'

const FACTORY = '../../src/mcp/protocol/create-mcp-server.ts'

/**
 * Loads a module with a server whose endpoint serves the example server of the conformance suite instead of memories.
 * Other test files of this process may have loaded the modules already, so they are loaded again with the other factory.
 */
export async function importWithExample<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  vi.resetModules()
  vi.doMock(FACTORY, async (importOriginal) => ({
    ...(await importOriginal<typeof Module>()),
    createMcpServer: createConformanceServer
  }))
  onTestFinished(() => {
    vi.doUnmock(FACTORY)
    vi.resetModules()
  })
  return await load()
}
