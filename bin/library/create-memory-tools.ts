/**
 * `memctl/ai`: memories as tools of the AI SDK, the tools of `memctl mcp`. The package `ai` is needed for its types
 * only.
 */
import type { Tool } from 'ai'
import { Fault } from '../../src/contract/faults.ts'
import type { Device } from '../../src/device/device.ts'
import { createDeviceMemories } from '../../src/mcp/create-device-memories.ts'
import { listTools } from '../../src/mcp/tools/find-tool.ts'
import * as given from './test-given.ts'

export type MemoryToolsOptions = {
  /** Adds `memory_store`. */
  write?: boolean | undefined
  /** Adds `memory_forget`. */
  forget?: boolean | undefined
  /** Shows only memories from these providers, formats, files or clients. */
  onlyOrigins?: readonly string[] | undefined
  /** Hides memories from them, such as `mailbox`. */
  excludeOrigins?: readonly string[] | undefined
  /** The maximum length of an answer in characters; 12,000 by default. */
  maxChars?: number | undefined
  /** The name of the program: what it stores has the origin `ai:NAME`. */
  name?: string | undefined
}

const OPTIONS: given.GivenRules = {
  write: given.FLAG,
  forget: given.FLAG,
  onlyOrigins: given.TEXTS,
  excludeOrigins: given.TEXTS,
  maxChars: given.WHOLE,
  name: given.TEXT
}

/** The input of each tool depends on its schema, which the SDK validates. */
export type MemoryTool = Tool<unknown, string> & { execute(input: unknown): Promise<string> }

/**
 * Creates the tools `memory_search`, `memory_read` and `memory_list`, and those that the options allow, for the setting
 * `tools` of `generateText`. A tool rejects with an `Error` whose message says what was wrong and how to correct it.
 */
export function createMemoryTools(device: Device, options: MemoryToolsOptions = {}): Record<string, MemoryTool> {
  given.testOptions('createMemoryTools', options, OPTIONS)
  const { write = false, forget = false, onlyOrigins = [], excludeOrigins = [], maxChars = 12_000 } = options
  const memories = createDeviceMemories(device, { write, forget, onlyOrigins, excludedOrigins: excludeOrigins })
  const context = { memories, maxChars, origin: `ai:${options.name ?? 'unknown'}` }
  const tools = listTools(memories).map(({ name, description, input, run }): [string, MemoryTool] => {
    const execute = async (asked: unknown) => (await run(context, asked).catch(explain)).text
    return [name, { description, inputSchema: input, execute }]
  })
  return Object.fromEntries(tools)
}

/** Adds the hint to an expected error, because the SDK shows the message of an error to the model. */
function explain(error: unknown): never {
  if (!(error instanceof Fault) || error.hint === undefined) throw error
  throw new Error(`${error.message}; hint: ${error.hint}`, { cause: error })
}
