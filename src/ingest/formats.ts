import { convertBasicMemory } from './formats/basic-memory/convert.ts'
import { FACTS as BASIC_MEMORY } from './formats/basic-memory/facts.ts'
import { convertChatGpt } from './formats/chatgpt/convert.ts'
import { FACTS as CHATGPT } from './formats/chatgpt/facts.ts'
import { convertClaude } from './formats/claude/convert.ts'
import { FACTS as CLAUDE } from './formats/claude/facts.ts'
import { convertClaudeCode } from './formats/claude-code/convert.ts'
import { FACTS as CLAUDE_CODE } from './formats/claude-code/facts.ts'
import { convertCodex } from './formats/codex/convert.ts'
import { FACTS as CODEX } from './formats/codex/facts.ts'
import { convertFiles } from './formats/documents/convert.ts'
import { FACTS as DOCUMENTS } from './formats/documents/facts.ts'
import { convertJson } from './formats/json/convert.ts'
import { FACTS as JSON_MAP } from './formats/json/facts.ts'
import { FACTS as MAIL } from './formats/mail/facts.ts'
import { FACTS as MARKDOWN } from './formats/markdown/facts.ts'
import { convertMcpMemory } from './formats/mcp-memory/convert.ts'
import { FACTS as MCP_MEMORY } from './formats/mcp-memory/facts.ts'
import { convertMem0 } from './formats/mem0/convert.ts'
import { FACTS as MEM0 } from './formats/mem0/facts.ts'
import { convertNotion } from './formats/notion/convert.ts'
import { FACTS as NOTION } from './formats/notion/facts.ts'
import { convertSlack } from './formats/slack/convert.ts'
import { FACTS as SLACK } from './formats/slack/facts.ts'
import { convertTelegram } from './formats/telegram/convert.ts'
import { FACTS as TELEGRAM } from './formats/telegram/facts.ts'
import { convertWhatsApp } from './formats/whatsapp/convert.ts'
import { FACTS as WHATSAPP } from './formats/whatsapp/facts.ts'
import type { Format } from './port/format.ts'

/** All formats. Of the general ones, the first that fits is chosen. */
export const FORMATS: readonly Format[] = [
  { facts: CHATGPT, convert: convertChatGpt },
  { facts: CLAUDE, convert: convertClaude },
  { facts: CLAUDE_CODE, convert: convertClaudeCode },
  { facts: CODEX, convert: convertCodex },
  { facts: SLACK, convert: convertSlack },
  { facts: NOTION, convert: convertNotion },
  { facts: MCP_MEMORY, convert: convertMcpMemory },
  { facts: MEM0, convert: convertMem0 },
  { facts: BASIC_MEMORY, convert: convertBasicMemory },
  { facts: WHATSAPP, convert: convertWhatsApp },
  { facts: TELEGRAM, convert: convertTelegram },
  { facts: JSON_MAP, convert: convertJson },
  { facts: MARKDOWN, convert: convertFiles },
  { facts: MAIL, convert: convertFiles },
  { facts: DOCUMENTS, convert: convertFiles }
]
