import { BASIC_MEMORY_FACTS, convertBasicMemory } from './formats/convert-basic-memory.ts'
import { CHATGPT_FACTS, convertChatGpt } from './formats/convert-chat-gpt.ts'
import { CLAUDE_FACTS, convertClaude } from './formats/convert-claude.ts'
import { CLAUDE_CODE_FACTS, convertClaudeCode } from './formats/convert-claude-code.ts'
import { CODEX_FACTS, convertCodex } from './formats/convert-codex.ts'
import { convertFiles, DOCUMENTS_FACTS } from './formats/convert-files.ts'
import { convertJson, JSON_FACTS } from './formats/convert-json.ts'
import { MAIL_FACTS } from './formats/convert-mail-file.ts'
import { convertMcpMemory, MCP_MEMORY_FACTS } from './formats/convert-mcp-memory.ts'
import { convertMem0, MEM0_FACTS } from './formats/convert-mem0.ts'
import { MARKDOWN_FACTS } from './formats/convert-note.ts'
import { convertNotion, NOTION_FACTS } from './formats/convert-notion.ts'
import { convertSlack, SLACK_FACTS } from './formats/convert-slack.ts'
import { convertTelegram, TELEGRAM_FACTS } from './formats/convert-telegram.ts'
import { convertWhatsApp, WHATSAPP_FACTS } from './formats/convert-whats-app.ts'
import type { Format } from './port/format.ts'

/** All formats. Of the general ones, the first that fits is chosen. */
export const FORMATS: readonly Format[] = [
  { facts: CHATGPT_FACTS, convert: convertChatGpt },
  { facts: CLAUDE_FACTS, convert: convertClaude },
  { facts: CLAUDE_CODE_FACTS, convert: convertClaudeCode },
  { facts: CODEX_FACTS, convert: convertCodex },
  { facts: SLACK_FACTS, convert: convertSlack },
  { facts: NOTION_FACTS, convert: convertNotion },
  { facts: MCP_MEMORY_FACTS, convert: convertMcpMemory },
  { facts: MEM0_FACTS, convert: convertMem0 },
  { facts: BASIC_MEMORY_FACTS, convert: convertBasicMemory },
  { facts: WHATSAPP_FACTS, convert: convertWhatsApp },
  { facts: TELEGRAM_FACTS, convert: convertTelegram },
  { facts: JSON_FACTS, convert: convertJson },
  { facts: MARKDOWN_FACTS, convert: convertFiles },
  { facts: MAIL_FACTS, convert: convertFiles },
  { facts: DOCUMENTS_FACTS, convert: convertFiles }
]
