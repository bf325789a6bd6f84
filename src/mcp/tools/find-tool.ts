import type { Tool } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { Fault } from '../../contract/faults.ts'
import type { Memories } from '../port/memories.ts'
import { listTool, readTool, runList, runRead } from './browse-tools.ts'
import { defineTool, type ToolAnswer, type ToolContext, type ToolRow } from './define-tool.ts'
import { runSearch, searchTool } from './search-tool.ts'

const storeTool = defineTool({
  name: 'memory_store',
  description:
    'Store one memory for good. Use it when the user states a lasting fact, decision or preference, or asks to remember. One self-contained statement with names instead of pronouns. Not for secrets, guesses or what memories already say.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  searches: false,
  input: z.strictObject({
    text: z.string().min(1),
    speaker: z.string().min(1).optional().describe('who said it'),
    at: z.string().optional().describe('when, ISO 8601; default now'),
    conversation: z.string().min(1).optional()
  })
})

const forgetTool = defineTool({
  name: 'memory_forget',
  description:
    'Delete memories for good, by the whole ids of an earlier answer. Only when the user asks for it. Not to correct a fact: store the new one.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  searches: true,
  input: z.strictObject({ ids: z.array(z.string()).min(1).max(20) })
})

type StoreToolInput = z.infer<typeof storeTool.input>
type ForgetInput = z.infer<typeof forgetTool.input>

/** Stores a memory, which is on the disk when the answer is sent. */
async function runStore({ memories, origin }: ToolContext, input: StoreToolInput): Promise<ToolAnswer> {
  if (memories.store === undefined) throw notAllowed('memory_store', '--allow-write')
  const { id, at } = await memories.store({ ...input, origin })
  return { text: `Stored ${id} at ${at}.`, data: { id, at } }
}

const WHOLE_ID = /^mem_[0-9a-f]{32}$/

/** Forgets memories. All of them must exist, and must be visible to the assistant. */
async function runForget({ memories }: ToolContext, { ids }: ForgetInput): Promise<ToolAnswer> {
  if (memories.forget === undefined) throw notAllowed('memory_forget', '--allow-forget')
  const invalid = ids.find((id) => !WHOLE_ID.test(id))
  if (invalid !== undefined) {
    throw new Fault('usage', `Invalid id ${JSON.stringify(invalid.slice(0, 60))}: expected mem_ and 32 hex digits`, {
      hint: 'memory_search shows whole ids'
    })
  }
  const wanted = [...new Set(ids)]
  const visible = new Set((await memories.read(wanted, { around: 0 })).map(({ id }) => id))
  const missing = wanted.filter((id) => !visible.has(id))
  if (missing.length > 0) {
    throw new Fault('not_found', `No memory ${missing.join(', ')}; nothing was forgotten`, {
      hint: 'memory_search shows the ids of existing memories'
    })
  }
  const { forgotten } = await memories.forget(wanted)
  return { text: `Forgot ${forgotten.length}: ${forgotten.join(' ')}`, data: { forgotten } }
}

function notAllowed(tool: string, flag: string): Fault {
  return new Fault('forbidden', `${tool} is not allowed here`, { hint: `the user can allow it: memctl mcp ${flag}` })
}

/** A tool of the list with its function, which validates its arguments. */
type BoundTool = ToolRow & { run(context: ToolContext, given: unknown): Promise<ToolAnswer> }

const TOOLS: readonly BoundTool[] = [
  bind(searchTool, runSearch),
  bind(readTool, runRead),
  bind(listTool, runList),
  bind(storeTool, runStore),
  bind(forgetTool, runForget)
]

function bind<Input extends z.ZodObject>(
  row: ToolRow & { input: Input },
  run: (context: ToolContext, input: z.output<Input>) => Promise<ToolAnswer>
): BoundTool {
  return { ...row, run: (context, given) => run(context, parseInput(row.name, row.input, given)) }
}

/** Returns the tools that an assistant may call. */
export function listTools(memories: Pick<Memories, 'store' | 'forget'>): readonly BoundTool[] {
  return TOOLS.filter(({ name }) => isAllowed(name, memories))
}

function isAllowed(name: string, { store, forget }: Pick<Memories, 'store' | 'forget'>): boolean {
  if (name === storeTool.name) return store !== undefined
  return name !== forgetTool.name || forget !== undefined
}

/** Finds a tool that an assistant may call. */
export function findTool(name: string, memories: Pick<Memories, 'store' | 'forget'>): BoundTool | undefined {
  return listTools(memories).find((tool) => tool.name === name)
}

/** Describes a tool for the protocol, as briefly as the schema permits. */
export function describeTool({ name, description, annotations, input }: ToolRow): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  // The library's type lists the members of JSON; the schema consists of nothing else.
  return { name, description, inputSchema: schema as Tool['inputSchema'], annotations }
}

/**
 * Parses the arguments of a call.
 *
 * @throws Fault `invalid_input` that names the first wrong argument, and what was expected.
 */
function parseInput<Input extends z.ZodObject>(tool: string, schema: Input, given: unknown): z.output<Input> {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  const place = path === '' ? 'arguments' : `argument \`${path}\``
  throw new Fault('invalid_input', `Invalid ${place} of ${tool}: ${issue?.message ?? 'expected an object'}`, {
    hint: `${tool} takes ${Object.keys(schema.shape).join(', ')}`
  })
}
