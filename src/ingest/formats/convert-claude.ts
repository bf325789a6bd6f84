import {
  type ChatMessage,
  computeNativeId,
  createSeenIds,
  isConversations,
  readTime,
  takeFiles,
  toMessageItem
} from '../lines/chat-message.ts'
import { readContentBlocks } from '../lines/content-blocks.ts'
import { type JsonMembers, listMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'

/** https://support.claude.com/en/articles/9450526: `conversations.json` with `users.json` and `projects.json`. */
export const CLAUDE_FACTS: FormatFacts = {
  id: 'claude',
  name: 'an export of Claude',
  markers: [{ path: /\.json$/i, head: [/"chat_messages"\s*:/, /"uuid"\s*:/] }],
  edits: 'none'
}

type Work = { given: Given; isSeen: (conversation: string, id: string) => boolean }

/** Converts each message to its words and the text of its attachments. */
export async function* convertClaude(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const work = { given, isSeen: createSeenIds() }
  yield* takeFiles(tree, given, (file) => (isConversations(tree, file) ? convertFile(file, work) : undefined))
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let count = 0
  for await (const part of readJsonObjects(file)) {
    count += 1
    if (!('object' in part) || !Array.isArray(part.object.chat_messages))
      yield { kind: 'conversation', path: `${file.path}#${count}`, leftOut: 'malformed' }
    else yield* convertConversation(part.object, file.path, work)
  }
}

function* convertConversation(chat: JsonMembers, path: string, { given, isSeen }: Work): Generator<Item> {
  const title = readText(chat.name)
  const conversation = readText(chat.uuid) ?? computeNativeId(title, chat.created_at)
  const url = `https://claude.ai/chat/${encodeURIComponent(conversation)}`
  const messages = listMembers(chat.chat_messages)
  if (messages.length === 0) yield { kind: 'conversation', path: conversation, leftOut: 'empty' }
  for (const [position, message] of messages.entries()) {
    const id = readText(message.uuid) ?? `${conversation}#${position}`
    if (isSeen(conversation, id)) {
      yield { kind: 'message', path: id, merged: true }
      continue
    }
    const speaker = message.sender === 'human' ? (given.me ?? 'user') : 'Claude'
    const at = readTime(message.created_at) ?? readTime(chat.created_at)
    const about = { format: CLAUDE_FACTS.id, path, conversation, id, title, url, speaker, at, position }
    yield* convertMessage(message, about)
  }
}

/** `content` has the words apart from thinking and tools, which `text` mixes; older exports have only `text`. */
function* convertMessage(message: JsonMembers, about: Omit<ChatMessage, 'text'>): Generator<Item> {
  const content = Array.isArray(message.content) && message.content.length > 0 ? message.content : message.text
  const { text, losses } = readContentBlocks(content)
  const attachments = listMembers(message.attachments)
  const [only, ...others] = losses
  if (text.trim() !== '') yield toMessageItem({ ...about, text })
  else if (only !== undefined) yield { kind: 'message', path: about.id, leftOut: only }
  else yield { kind: 'message', path: about.id, leftOut: 'empty' }
  for (const reason of text.trim() === '' ? others : losses) yield { kind: 'block', path: about.id, leftOut: reason }
  for (const attachment of attachments) {
    const name = readText(attachment.file_name) ?? about.id
    const words = readText(attachment.extracted_content)
    if (words === undefined) yield { kind: 'attachment', path: name, leftOut: 'attachment' }
    else
      yield toMessageItem(
        { ...about, text: words, more: { attachment: name.slice(0, 300).toWellFormed() } },
        'attachment'
      )
  }
  for (const file of listMembers(message.files))
    yield { kind: 'attachment', path: readText(file.file_name) ?? about.id, leftOut: 'attachment' }
}
