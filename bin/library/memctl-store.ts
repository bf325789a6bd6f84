/** `memctl/langgraph`: memories as the long-term store of LangGraph. */
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation
} from '@langchain/langgraph-checkpoint'
import type { Metadata } from '../../src/contract/snapshot.ts'
import type { Device } from '../../src/device/device.ts'
import { type KeyedMemories, type KeyedMemory, openKeyedMemories } from './keyed-memories.ts'

/** How the metadata holds an item. */
type StoredItem = { namespace: string[]; key: string; value: Item['value']; created: string; indexed: boolean }

/**
 * A store of LangGraph in a snapshot. Each item is a memory: its text is what a search finds, and its metadata holds the
 * value. A query is answered by memctl's ranking, so the store needs no embeddings. Items with nearly equal texts count
 * as one in the answer to a query.
 */
export class MemctlStore extends BaseStore {
  readonly #items: KeyedMemories

  constructor(device: Device) {
    super()
    this.#items = openKeyedMemories(device, FORMAT)
  }

  /** Reads first, as they were before the batch; of several puts of one item, the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>()
    const results: unknown[] = []
    for (const operation of operations) {
      if ('value' in operation) puts.set(toPath(operation.namespace, operation.key), operation)
      results.push('value' in operation ? undefined : await this.#read(operation))
    }
    for (const [path, operation] of puts) await this.#put(path, operation)
    return results as OperationResults<Op>
  }

  #read(operation: Exclude<Operation, PutOperation>): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation)
    return 'key' in operation ? this.#get(operation) : this.#listNamespaces(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const memory = await this.#items.find(toPath(namespace, key))
    return memory === undefined ? null : toItem(memory)
  }

  async #search({
    namespacePrefix,
    query,
    filter = {},
    limit = 10,
    offset = 0
  }: SearchOperation): Promise<SearchItem[]> {
    const folder = namespacePrefix.length === 0 ? undefined : toPath(namespacePrefix)
    const found = query ? await this.#items.search(query, SEARCH_MAX, folder) : await this.#items.list(folder)
    return found
      .filter((memory) => !query || readStored(memory).indexed)
      .map((memory) => ({ ...toItem(memory), ...(memory.score !== undefined && { score: memory.score }) }))
      .filter(({ value }) => Object.entries(filter).every(([name, wanted]) => matches(value[name], wanted)))
      .slice(offset, offset + limit)
  }

  async #put(path: string, { namespace, key, value, index }: PutOperation): Promise<void> {
    if (value === null) return await this.#items.remove([path])
    const known = await this.#items.find(path)
    const created = known === undefined ? new Date().toISOString() : readStored(known).created
    const text = (index === false ? [] : listTexts(value)).join('\n') || key
    const stored: StoredItem = { namespace, key, value, created, indexed: index !== false }
    await this.#items.put(path, { text, metadata: { langgraph: stored } as Metadata })
  }

  async #listNamespaces({
    matchConditions = [],
    maxDepth,
    limit,
    offset
  }: ListNamespacesOperation): Promise<string[][]> {
    const all = (await this.#items.list()).map((memory) => readStored(memory).namespace)
    const matching = all.filter((namespace) => matchConditions.every((condition) => fits(namespace, condition)))
    const cut = new Map(matching.map((namespace) => namespace.slice(0, maxDepth)).map((one) => [toPath(one), one]))
    return [...cut]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one)
      .slice(offset, offset + limit)
  }
}

const FORMAT = 'langgraph'

/** The most items that a query finds. */
const SEARCH_MAX = 1000

/** Joins a namespace and a key to a path. It begins with the format, so that no folder of another program is meant. */
function toPath(namespace: readonly string[], key?: string): string {
  return [FORMAT, ...namespace, ...(key === undefined ? [] : [key])].map(encodeURIComponent).join('/')
}

/** Only this file writes memories of the format. */
function readStored({ metadata }: KeyedMemory): StoredItem {
  return metadata.langgraph as unknown as StoredItem
}

function toItem(memory: KeyedMemory): Item {
  const { namespace, key, value, created } = readStored(memory)
  return { namespace, key, value, createdAt: new Date(created), updatedAt: new Date(memory.at) }
}

/** Lists the texts of a value. Those of a named member start with its name, unless the value has only one. */
function listTexts(value: unknown): string[] {
  const texts = listNamed(value, '')
  return texts.length === 1 ? texts.map(({ text }) => text) : texts.map(({ name, text }) => `${name}: ${text}`)
}

function listNamed(value: unknown, name: string): { name: string; text: string }[] {
  if (typeof value !== 'object' || value === null)
    return value == null || value === '' ? [] : [{ name, text: String(value) }]
  return Object.entries(value).flatMap(([member, inner]) => listNamed(inner, Array.isArray(value) ? name : member))
}

const OPERATORS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value)
}

function matches(value: unknown, wanted: unknown): boolean {
  const conditions = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : []
  if (conditions.length === 0 || conditions.some(([name]) => OPERATORS[name] === undefined)) return value === wanted
  return conditions.every(([name, operand]) => OPERATORS[name]?.(value, operand))
}

function fits(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length)
  return path.every((label, at) => label === '*' || label === part[at])
}
