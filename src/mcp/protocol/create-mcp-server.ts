import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext
} from '@modelcontextprotocol/server'
import { Fault } from '../../contract/faults.ts'
import type { Clock } from '../../ports.ts'
import type { IndexOpening, Memories } from '../port/memories.ts'
import { describeMemories } from '../text/describe-memories.ts'
import { cutCharacters, DATA_NOTE } from '../text/mark-text.ts'
import { runRead } from '../tools/browse-tools.ts'
import type { ToolContext } from '../tools/define-tool.ts'
import { describeTool, findTool, listTools } from '../tools/find-tool.ts'
import { runSearch } from '../tools/search-tool.ts'

export type McpSettings = {
  memories: Memories
  clock: Clock
  version: string
  /** Maximum length of an answer, in characters. */
  maxChars: number
  /** Whether answers also have `structuredContent`, which some clients pay for twice. */
  structured: boolean
  /** The name of the client if the protocol does not state it. */
  client?: string | undefined
  /** Receives errors that are bugs. The client only learns that one occurred. */
  onBug(error: unknown): void
}

const OVERVIEW = 'memctl://overview'
const MEMORY = /^memctl:\/\/memory\/(mem_[0-9a-f]{32})$/

/** What the server tells a client about its memories. */
export const INSTRUCTIONS = `Long-term memory of the user. Search it before answering about people, decisions or the past. ${DATA_NOTE}`

export const CAPABILITIES = { tools: {}, resources: {}, prompts: {} }

/**
 * Creates a server of the Model Context Protocol over memories. The library's low-level class is used because the list
 * of tools must be small: its high-level class repeats members in every schema.
 */
export function createMcpServer(settings: McpSettings): Server {
  const { memories, version } = settings
  const server = new Server(
    { name: 'memctl', title: 'memctl', version },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS }
  )
  const serving: Serving = { settings, server }
  server.setRequestHandler('tools/list', () => ({ tools: listTools(memories).map(describeTool) }))
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(serving, params, context))
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: OVERVIEW, name: 'overview', description: 'What is stored', mimeType: 'text/plain' }]
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'memctl://memory/{id}', name: 'memory', mimeType: 'text/plain' }]
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => ({
    contents: [{ uri, mimeType: 'text/plain', text: await readResource(serving, uri, context) }]
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts: [BRIEF] }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    if (params.name !== BRIEF.name) throw invalidParams(`Unknown prompt: ${params.name.slice(0, 80)}`)
    const text = await writeBrief(serving, params.arguments?.topic ?? '', context)
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
  return server
}

const BRIEF = {
  name: 'brief',
  description: 'Summarize what is remembered about a topic',
  arguments: [{ name: 'topic', required: true }]
}

type Serving = { settings: McpSettings; server: Server }

type CallParams = { name: string; arguments?: Record<string, unknown> | undefined }

async function callTool(serving: Serving, { name, arguments: given }: CallParams, context: ServerContext) {
  const { memories, structured, maxChars, onBug } = serving.settings
  const tool = findTool(name, memories)
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, 80)}`)
  try {
    const wait = tool.searches ? await waitUntilOpen(serving, context) : undefined
    if (wait !== undefined) return { content: [{ type: 'text' as const, text: wait }] }
    const { text, data } = await tool.run(toToolContext(serving, context), given)
    return { content: [{ type: 'text' as const, text }], ...(structured && { structuredContent: { ...data } }) }
  } catch (error) {
    return answerFault(error, onBug, maxChars)
  }
}

/** Returns the answer of a tool to an error, so that the assistant reads it. */
export function answerFault(error: unknown, onBug: McpSettings['onBug'], maxChars = Infinity) {
  if (!(error instanceof Fault)) onBug(error)
  return { content: [{ type: 'text' as const, text: cutCharacters(describeFault(error), maxChars) }], isError: true }
}

/** Describes an expected error with its hint. A bug is only named. */
function describeFault(error: unknown): string {
  if (!(error instanceof Fault)) return 'Internal error of memctl; the user can find it on stderr of the server.'
  return error.hint === undefined ? error.message : `${error.message}\nhint: ${error.hint}`
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

async function readResource(serving: Serving, uri: string, context: ServerContext): Promise<string> {
  const id = MEMORY.exec(uri)?.[1]
  if (uri !== OVERVIEW && id === undefined) throw notFound(uri)
  return await answerFaults(serving, async () => {
    const wait = await waitUntilOpen(serving, context)
    if (wait !== undefined) return wait
    if (id === undefined) return await describeMemories(serving.settings.memories)
    const { text, data } = await runRead(toToolContext(serving, context), { ids: [id], around: 0 })
    if (Array.isArray(data.memories) && data.memories.length === 0) throw notFound(uri)
    return text
  })
}

function notFound(uri: string): ProtocolError {
  return new ResourceNotFoundError(uri.slice(0, 200))
}

async function writeBrief(serving: Serving, topic: string, context: ServerContext): Promise<string> {
  return await answerFaults(serving, async () => {
    const wait = await waitUntilOpen(serving, context)
    if (wait !== undefined) return wait
    const found = await runSearch(toToolContext(serving, context), { query: topic, limit: 12 })
    return `Summarize in a few sentences what these memories say about ${JSON.stringify(topic)}. Name dates and sources, and say what is uncertain.\n\n${found.text}`
  })
}

/** Turns expected errors into errors of the protocol, since resources and prompts have no other form for them. */
async function answerFaults(serving: Serving, work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ProtocolError ? error : toInternalError(error, serving.settings.onBug)
  }
}

/** Returns the error of the protocol for any other error. */
export function toInternalError(error: unknown, onBug: McpSettings['onBug']): ProtocolError {
  if (!(error instanceof Fault)) onBug(error)
  return new ProtocolError(ProtocolErrorCode.InternalError, describeFault(error))
}

function toToolContext(serving: Serving, context: ServerContext): ToolContext {
  const { memories, maxChars } = serving.settings
  return { memories, maxChars, origin: `mcp:${findClient(serving.server, context, serving.settings.client)}` }
}

/** The library types the key as a plain text. */
type ClientEnvelope = Readonly<Record<string, { name?: unknown } | undefined>>

const CLIENT_CHARACTERS_MAX = 60

/** Returns the name of the client in the characters of an identifier. `usual` applies if the protocol states none. */
export function findClient(server: Server, { mcpReq }: ServerContext, usual?: string): string {
  const info = (mcpReq.envelope as ClientEnvelope | undefined)?.[CLIENT_INFO_META_KEY]
  // Older revisions state the name once, when the connection opens.
  const name = info?.name ?? server.getClientVersion()?.name ?? usual
  const plain = typeof name === 'string' ? name.replace(/[^\w.@-]+/g, '-').slice(0, CLIENT_CHARACTERS_MAX) : ''
  return plain === '' ? 'unknown' : plain
}

function waitUntilOpen({ settings }: Serving, { mcpReq }: ServerContext): Promise<string | undefined> {
  const progressToken = mcpReq._meta?.progressToken
  const report = async (percent: number): Promise<void> => {
    if (progressToken === undefined) return
    const params = { progressToken, progress: percent, total: 100, message: 'indexing' }
    await mcpReq.notify({ method: 'notifications/progress', params })
  }
  return waitForIndex(settings.memories.opening, { clock: settings.clock, signal: mcpReq.signal, report })
}

/** Clients end a call after 60 s; an answer by then lets the assistant ask again. */
const WAIT_MS = 20_000

/** Interval of progress notifications. */
const PROGRESS_MS = 1000

type Waiting = {
  clock: Clock
  signal: AbortSignal
  /** Reports progress, if the client asked for it. */
  report?: ((percent: number) => Promise<void>) | undefined
}

/** Waits until the index is open, at most 20 s. Returns what to answer instead if it is not. */
async function waitForIndex(
  opening: IndexOpening | undefined,
  { clock, signal, report }: Waiting
): Promise<string | undefined> {
  if (opening === undefined) return undefined
  let isOpen = false
  const open = opening.done.then(() => {
    isOpen = true
  })
  // An index that is already open must not look like one that is still opening.
  await Promise.race([open, Promise.resolve().then(() => undefined)])
  const stop = new AbortController()
  try {
    for (let left = WAIT_MS; left > 0 && !isOpen && !signal.aborted; left -= PROGRESS_MS) {
      const pause = clock.wait(PROGRESS_MS, AbortSignal.any([signal, stop.signal])).catch(() => undefined)
      await Promise.race([open, pause])
      if (!isOpen) await report?.(opening.percent())
    }
  } finally {
    stop.abort()
  }
  return isOpen ? undefined : `Indexing, ${Math.floor(opening.percent())} %; ask again.`
}
