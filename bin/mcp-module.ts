import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CollectionOptions, McpModule } from '../src/cli/ports/lazy-modules.ts'
import type { Client } from '../src/client/client.ts'
import { readFault } from '../src/client/read-fault.ts'
import { readText } from '../src/client/read-text.ts'
import type { Device } from '../src/device/device.ts'
import { createDeviceMemories } from '../src/mcp/create-device-memories.ts'
import type { IndexOpening } from '../src/mcp/port/memories.ts'
import {
  createForwardingServer,
  type ForwardedReply,
  type ForwardingSettings
} from '../src/mcp/protocol/create-forwarding-server.ts'
import { createMcpServer } from '../src/mcp/protocol/create-mcp-server.ts'
import { type CreateServer, serveStdio } from '../src/mcp/serve-stdio.ts'
import { nodeClock } from './node/node-clock.ts'
import { fullEngine } from './node/threads/tune-engine.ts'

/** The server of the Model Context Protocol for the commands, over the standard streams of this process. */
export const mcpModule: McpModule = {
  command: [process.execPath, path.resolve(process.argv[1] ?? '')],
  applicationFolder: findApplicationFolder(),
  async serve(device, { limits, cacheFolder, interrupted, ...settings }) {
    // Without it, a thousand searches of 100,000 memories let the process grow from 110 MB to 170 MB.
    fullEngine()
    await untilClientLeaves(interrupted, (signal) => {
      const opening = openIndex(device, cacheFolder, signal)
      const memories = createDeviceMemories(device, { ...limits, opening })
      return () => createMcpServer({ ...settings, memories, clock: nodeClock, onBug })
    })
  },
  async serveCollection(client, { version, interrupted, ...options }) {
    const send = createSend(client, options)
    await untilClientLeaves(interrupted, () => () => createForwardingServer({ version, send, onBug }))
  }
}

function onBug(error: unknown): void {
  console.error(error)
}

/** Serves over the streams of this process until they end, the parent vanishes or the user interrupts. */
async function untilClientLeaves(
  interrupted: AbortSignal,
  prepare: (signal: AbortSignal) => CreateServer
): Promise<void> {
  const stop = new AbortController()
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS)
  try {
    await serveStdio(prepare(stop.signal), STREAMS, AbortSignal.any([stop.signal, interrupted]))
  } finally {
    stop.abort()
    clearInterval(watch)
    process.stdin.destroy()
  }
}

type Endpoint = Pick<CollectionOptions, 'collectionId' | 'limits' | 'maxChars' | 'structured'>

/** Creates the function that sends a message to the endpoint of a collection. */
function createSend(client: Pick<Client, 'send'>, endpoint: Endpoint): ForwardingSettings['send'] {
  const { collectionId, limits, maxChars, structured } = endpoint
  const query = new URLSearchParams({
    write: String(limits.write),
    forget: String(limits.forget),
    only_origin: limits.onlyOrigins.join(','),
    exclude_origin: limits.excludedOrigins.join(','),
    max_chars: String(maxChars),
    structured: String(structured)
  })
  const path = `/mcp/${collectionId}?${query}`
  return async ({ headers, body, signal }) => {
    const sent = { bytes: new TextEncoder().encode(JSON.stringify(body)), type: 'application/json' }
    const response = await client.send({ method: 'POST', path, body: sent, headers }, { signal })
    const isReply = response.headers.get('content-type') === 'application/json'
    if (!isReply) throw await readFault(response)
    return JSON.parse(await readText(response, REPLY_BYTES_MAX)) as ForwardedReply
  }
}

/** Larger than any answer that a server sends. */
const REPLY_BYTES_MAX = 64 << 20

function findApplicationFolder(): string {
  if (process.platform === 'win32') return process.env.APPDATA ?? path.join(homedir(), 'AppData', 'Roaming')
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support')
  return process.env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config')
}

const STREAMS = { input: process.stdin, output: process.stdout }

/** A client that was killed may leave the pipes open in its other children. */
const PARENT_CHECK_MS = 500

/** Above this size, another process updates the index, so that this one answers meanwhile and stays small. */
const CHILD_BYTES_MIN = 2 * 1024 * 1024

/** Beside this file in a build. */
const CHILD = new URL('./index-child.js', import.meta.url)

function openIndex(device: Device, cacheFolder: string, signal: AbortSignal): IndexOpening {
  let percent = 0
  const prepare = async (): Promise<void> => {
    const size = statSync(device.path, { throwIfNoEntry: false })?.size ?? 0
    if (size >= CHILD_BYTES_MIN && existsSync(CHILD))
      await indexInChild([device.path, cacheFolder], signal, (now) => {
        percent = now
      })
    // The search itself reports what is wrong.
    if (!signal.aborted) await device.recent({ limit: 1 }).catch(() => undefined)
    percent = 100
  }
  return { percent: () => percent, done: prepare() }
}

/** Updates the cached index in a process of its own, which ends with this one. Its failure only costs time. */
function indexInChild(args: string[], signal: AbortSignal, onPercent: (percent: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(CHILD), ...args], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true
    })
    const kill = (): void => void child.kill('SIGKILL')
    signal.addEventListener('abort', kill, { once: true })
    child.on('message', (message) => onPercent(Number(message)))
    for (const event of ['exit', 'error'])
      child.once(event, () => {
        signal.removeEventListener('abort', kill)
        resolve()
      })
  })
}
