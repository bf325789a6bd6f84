import type * as z from 'zod'
import type { Memories } from '../port/memories.ts'

/** How a tool is announced to clients, with the hints of the protocol. */
export type ToolRow = {
  name: string
  description: string
  annotations: Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>>
  input: z.ZodObject
  /** Whether it must wait until the index is open. */
  searches: boolean
}

/** The annotations of a tool that only reads, so that a client need not ask for each call. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Returns the row with its types. */
export function defineTool<Input extends z.ZodObject>(row: Omit<ToolRow, 'input'> & { input: Input }): typeof row {
  return row
}

/** What a call of a tool may use. */
export type ToolContext = {
  memories: Memories
  /** Maximum length of an answer, in characters. */
  maxChars: number
  /** The origin of what the tool stores: the protocol and the name of the client. */
  origin: string
}

/** The text of an answer, and the same as data for clients that ask for it. */
export type ToolAnswer = { text: string; data: Readonly<Record<string, unknown>> }
