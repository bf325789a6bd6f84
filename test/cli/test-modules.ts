import type { DeviceModule, LazyModules } from '../../src/cli/ports/lazy-modules.ts'
import { createClient } from '../../src/client/create-client.ts'
import { withLock } from '../../src/snapshot/file/with-lock.ts'
import { fakeHost, type HostWishes } from './fake-host.ts'

/** The real modules, except the device and the machine. */
export function testModules(device: DeviceModule, wishes: HostWishes = {}): LazyModules {
  const { server, machine } = fakeHost(wishes)
  return {
    device: async () => device,
    client: async () => ({ createClient }),
    ingest: async () => (await import('../../bin/ingest-module.ts')).ingestModule,
    lock: async () => withLock,
    server: async () => server,
    machine: async () => machine,
    mcp: async () => (await import('../../bin/mcp-module.ts')).mcpModule
  }
}
