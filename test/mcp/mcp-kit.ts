import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import type { Device } from '../../src/device/device.ts'
import { createDeviceMemories, type DeviceLimits } from '../../src/mcp/create-device-memories.ts'
import { createMcpServer, type McpSettings } from '../../src/mcp/protocol/create-mcp-server.ts'

/** Connects a client to a server over a device, within this process. */
export async function connect(
  device: Device,
  limits: Partial<DeviceLimits> = {},
  settings: Partial<McpSettings> = {}
): Promise<{ client: Client; call: Call }> {
  const all = { write: true, forget: true, onlyOrigins: [], excludedOrigins: [], ...limits }
  const server = createMcpServer({
    memories: createDeviceMemories(device, all),
    clock: nodeClock,
    version: '1.2.3',
    maxChars: 12_000,
    structured: false,
    onBug: (error) => {
      throw error
    },
    ...settings
  })
  const client = new Client({ name: 'kit', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  return { client, call: (name, given = {}) => callTool(client, name, given) }
}

export type Call = (name: string, given?: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>

/** Calls a tool and returns the text of its answer. */
export async function callTool(
  client: Pick<Client, 'callTool'>,
  name: string,
  given: Record<string, unknown>
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  const texts = content.map((block) => (block.type === 'text' ? block.text : block.type))
  return { text: texts.join('\n'), isError }
}
