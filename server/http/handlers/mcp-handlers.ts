import { Fault } from '../../../src/contract/faults.ts'
import type { MemoryResponse } from '../../../src/contract/memory-response.ts'
import { type OriginLimits, toOriginOptions } from '../../../src/mcp/create-device-memories.ts'
import { createOpenRequests } from '../../../src/mcp/http/open-requests.ts'
import type { Memories, MemoryInput } from '../../../src/mcp/port/memories.ts'
import { parseIsoTime } from '../../../src/memory/parse-iso-time.ts'
import { toSearchQuestion } from '../../../src/search/answer/to-search-question.ts'
import {
  type BrowsedCollection,
  listCollectionMemories,
  readCollectionMemories
} from '../../recall/collections/browse-collection.ts'
import { makeForgetBatch } from '../../recall/engine/make-record-batch.ts'
import { OUTCOMES } from '../../storage/port/record-batch.ts'
import { mayUse } from '../check-row.ts'
import type { Handlers } from '../handler.ts'
import { noCollection } from './collection-handlers.ts'
import { type HandlerWorld, requireCaller } from './handler-world.ts'
import { storeInCollection } from './memory-handlers.ts'

type McpWorld = Pick<HandlerWorld, 'engine' | 'storage' | 'clock' | 'ids' | 'version'>

/** Creates the handler that serves the Model Context Protocol, with the same tools as `memctl mcp`. */
export function mcpHandlers(world: McpWorld): Pick<Handlers, 'callMcp'> {
  const { storage, clock, ids, version } = world
  const openRequests = createOpenRequests(ids)
  return {
    async callMcp({ params: { collection_id: id }, query, body, headers, signal, ...call }) {
      const caller = requireCaller(call)
      const collection = await storage.findCollection(id)
      if (collection === undefined) throw noCollection(id)
      const mayEdit = mayUse(caller, collection, 'edit')
      const limits = {
        write: mayEdit && query.write,
        forget: mayEdit && query.forget,
        onlyOrigins: query.only_origin,
        excludedOrigins: query.exclude_origin
      }
      // Loaded by the first request for it.
      const { answerHttp } = await import('../../../src/mcp/http/answer-http.ts')
      const { createMcpServer } = await import('../../../src/mcp/protocol/create-mcp-server.ts')
      const bugs: unknown[] = []
      const settings = {
        memories: createCollectionMemories(world, { id, limits, signal }),
        ...{ clock, version, maxChars: query.max_chars, structured: query.structured },
        // Older revisions name the client only if it sends the id of its session.
        client: caller.name,
        onBug: (error: unknown) => void bugs.push(error)
      }
      const message = { headers, body, signal, caller: `${caller.keyId} ${id}`, openRequests }
      const answer = await answerHttp(() => createMcpServer(settings), message)
      if ('stream' in answer) return { status: 200, stream: failAfter(answer.stream, bugs), type: 'text/event-stream' }
      if (bugs.length > 0) throw bugs[0]
      const { status } = answer
      if (!isReplyStatus(status)) throw new Error(`the library for MCP replied with ${status}`)
      return { ...answer, status }
    }
  }
}

/** Lets a stream fail at its end if there were bugs, so that the log reports them. */
function failAfter(stream: ReadableStream<Uint8Array>, bugs: readonly unknown[]): ReadableStream<Uint8Array> {
  const check = (): void => {
    if (bugs.length > 0) throw bugs[0]
  }
  return stream.pipeThrough(new TransformStream({ flush: check }))
}

const REPLY_STATUSES = [200, 202, 400, 404] as const

function isReplyStatus(status: number): status is (typeof REPLY_STATUSES)[number] {
  return REPLY_STATUSES.some((one) => one === status)
}

type Limits = OriginLimits & { write: boolean; forget: boolean }

/** Returns the memories of one collection within the limits. */
function createCollectionMemories(
  world: McpWorld,
  { id, limits, signal }: { id: string; limits: Limits; signal: AbortSignal }
): Memories {
  const { engine } = world
  const origins = toOriginOptions(limits)
  const collection: BrowsedCollection = {
    engine,
    id,
    signal,
    toFilter: (options) => toSearchQuestion('', options, invalidTime).filter
  }
  return {
    async search(query, options) {
      const question = toSearchQuestion(query, { ...options, ...origins }, invalidTime)
      const bytes = await engine.searchCollections([id], question, signal)
      return JSON.parse(new TextDecoder().decode(bytes)) as MemoryResponse
    },
    recent: (options) => listCollectionMemories(collection, { ...options, ...origins }),
    read: (ids, { around }) => readCollectionMemories(collection, ids, { around, ...origins }),
    ...(limits.write && { store: (input: MemoryInput) => storeOne(world, { input, id, signal }) }),
    ...(limits.forget && { forget: (ids: readonly string[]) => forget(world, id, ids) })
  }
}

function invalidTime(field: string, message: string): Fault {
  return new Fault('usage', `Invalid ${field}: ${message}`, { hint: 'for example 2026-01-31T18:30:00Z' })
}

type StoringOne = { input: MemoryInput; id: string; signal: AbortSignal }

async function storeOne(world: McpWorld, { input, id, signal }: StoringOne): Promise<{ id: string; at: string }> {
  const { text, origin, at, speaker, conversation } = input
  const time = at === undefined ? undefined : parseIsoTime(at)
  if (at !== undefined && time === undefined) throw invalidTime('at', 'expected a time in ISO 8601')
  const fields = { at: time, speaker, conversation }
  const stored = await storeInCollection(world, { text, fields, metadata: { origin }, collectionId: id, signal })
  return { id: stored.memoryId, at: stored.at }
}

async function forget({ storage, clock }: McpWorld, id: string, ids: readonly string[]) {
  const { outcomes } = await storage.append(id, makeForgetBatch(ids, new Date(clock.now()).toISOString()))
  const isStored = (place: number): boolean => outcomes[place] === OUTCOMES.stored
  return {
    forgotten: ids.filter((_, place) => isStored(place)),
    already: ids.filter((_, place) => !isStored(place))
  }
}
