import type { LossReason } from '../port/losses.ts'
import { isMembers, type JsonMembers, listMembers, readText } from './read-json.ts'

/** The words of a message, and the blocks that are not words. */
export type ContentBlocks = { text: string; losses: LossReason[] }

/** Kinds of content blocks of assistants that are not words of a person or assistant. */
const BLOCK_LOSSES: Readonly<Record<string, LossReason>> = {
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_use: 'tool_call',
  server_tool_use: 'tool_call',
  mcp_tool_use: 'tool_call',
  tool_result: 'tool_result',
  mcp_tool_result: 'tool_result',
  web_search_tool_result: 'tool_result',
  token_budget: 'system',
  flag: 'system',
  image: 'image',
  document: 'attachment'
}

/** Reads the content of a message: a text, or blocks of text and of other kinds. An unknown kind is a loss. */
export function readContentBlocks(content: unknown): ContentBlocks {
  if (typeof content === 'string') return { text: content, losses: [] }
  const texts: string[] = []
  const losses: LossReason[] = []
  for (const block of listMembers(content)) {
    const text = readBlockText(block)
    if (text !== undefined) texts.push(text)
    else if (!isEmptyText(block)) losses.push(BLOCK_LOSSES[String(block.type)] ?? 'unknown_content')
  }
  return { text: texts.join('\n\n'), losses }
}

/** Types of blocks with words, and the member that contains them. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  voice_note: 'transcript'
}

function readBlockText(block: JsonMembers): string | undefined {
  const member = TEXT_MEMBERS[String(block.type)]
  return member === undefined ? undefined : (readText(block[member]) ?? readText(block.text))
}

function isEmptyText(block: JsonMembers): boolean {
  return isMembers(block) && TEXT_MEMBERS[String(block.type)] !== undefined
}
