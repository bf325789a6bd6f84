import {
  type ChatMessage,
  computeNativeId,
  createSeenIds,
  isConversations,
  readSeconds,
  takeFiles,
  toMessageItem
} from '../lines/chat-message.ts'
import { isMembers, type JsonMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import type { LossReason } from '../port/losses.ts'

/** https://help.openai.com/en/articles/7260999: `conversations.json`, in several files if it is large. */
export const CHATGPT_FACTS: FormatFacts = {
  id: 'chatgpt',
  name: 'an export of ChatGPT',
  markers: [{ path: /\.json$/i, head: [/"mapping"\s*:\s*\{/, /"(create_time|current_node)"\s*:/] }],
  edits: 'none'
}

type Work = { given: Given; isSeen: (conversation: string, id: string) => boolean }

/** Converts each conversation to the messages of the branch that ChatGPT shows. */
export async function* convertChatGpt(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const work = { given, isSeen: createSeenIds() }
  yield* takeFiles(tree, given, (file) => {
    if (isConversations(tree, file)) return convertFile(file, work)
    return /(^|\/)chat\.html$/.test(file.path) ? mergePage(file) : undefined
  })
}

/** The page shows the same conversations. */
async function* mergePage({ path }: TreeFile): AsyncGenerator<Item> {
  yield { kind: 'file', path, merged: true }
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let count = 0
  for await (const part of readJsonObjects(file)) {
    count += 1
    const mapping = 'object' in part ? part.object.mapping : undefined
    if (!('object' in part) || !isMembers(mapping))
      yield { kind: 'conversation', path: `${file.path}#${count}`, leftOut: 'malformed' }
    else yield* convertConversation(part.object, mapping, { ...work, path: file.path })
  }
}

function* convertConversation(
  conversation: JsonMembers,
  mapping: JsonMembers,
  { given, isSeen, path }: Work & { path: string }
): Generator<Item> {
  const nodes = new Map(Object.entries(mapping).flatMap(([id, node]) => (isMembers(node) ? [[id, node] as const] : [])))
  const title = readText(conversation.title)
  const id =
    readText(conversation.conversation_id) ??
    readText(conversation.id) ??
    computeNativeId(title, conversation.create_time, [...nodes.keys()])
  const url = `https://chatgpt.com/c/${encodeURIComponent(id)}`
  if (![...nodes.values()].some(({ message }) => isMembers(message))) {
    yield { kind: 'conversation', path: id, leftOut: 'empty' }
    return
  }
  const branch = listBranch(nodes, readText(conversation.current_node))
  let at = readSeconds(conversation.create_time)
  for (const [position, nodeId] of branch.entries()) {
    const message = nodes.get(nodeId)?.message
    if (!isMembers(message)) continue
    const stated = readSeconds(message.create_time) ?? 0
    at = stated > 0 ? stated : at
    const messageId = readText(message.id) ?? nodeId
    const speaker = readRole(message) === 'user' ? (given.me ?? 'user') : 'ChatGPT'
    const about = { format: CHATGPT_FACTS.id, path, conversation: id, id: messageId, title, url, speaker, at, position }
    if (isSeen(id, messageId)) yield { kind: 'message', path: messageId, merged: true }
    else yield* convertMessage(message, about)
  }
  const shown = new Set(branch)
  for (const [nodeId, { message }] of nodes)
    if (!shown.has(nodeId) && isMembers(message)) yield { kind: 'message', path: nodeId, leftOut: 'other_branch' }
}

function* convertMessage(message: JsonMembers, about: Omit<ChatMessage, 'text'>): Generator<Item> {
  const { text, leftOut, losses } = readContent(message)
  if (leftOut === undefined) yield toMessageItem({ ...about, text })
  else yield { kind: 'message', path: about.id, leftOut }
  for (const reason of losses) yield { kind: 'attachment', path: about.id, leftOut: reason }
}

type Nodes = ReadonlyMap<string, JsonMembers>

/** Lists the nodes from the root to the current one. Without a current node, the latest message is it. */
function listBranch(nodes: Nodes, current: string | undefined): string[] {
  const branch = new Set<string>()
  let at = current !== undefined && nodes.has(current) ? current : findLatest(nodes)
  while (at !== undefined && nodes.has(at) && !branch.has(at)) {
    branch.add(at)
    at = readText(nodes.get(at)?.parent)
  }
  return [...branch].reverse()
}

function findLatest(nodes: Nodes): string | undefined {
  let latest: { id: string; at: number } | undefined
  for (const [id, { message }] of nodes) {
    if (!isMembers(message)) continue
    const at = readSeconds(message.create_time) ?? 0
    if (latest === undefined || at > latest.at || (at === latest.at && id > latest.id)) latest = { id, at }
  }
  return latest?.id
}

function readRole({ author }: JsonMembers): string | undefined {
  return isMembers(author) ? readText(author.role) : undefined
}

/** The text that a message shows, or why it is left out; and its parts that are not text. */
type Content = { text: string; leftOut?: LossReason; losses: LossReason[] }

function readContent(message: JsonMembers): Content {
  const reason = findLoss(message)
  if (reason !== undefined) return { text: '', leftOut: reason, losses: [] }
  const content = isMembers(message.content) ? message.content : {}
  const parts = Array.isArray(content.parts) ? content.parts : []
  const texts: string[] = []
  const losses: LossReason[] = []
  for (const part of parts) {
    const text = typeof part === 'string' ? part : isMembers(part) ? readText(part.text) : undefined
    if (text !== undefined) texts.push(text)
    else if (isMembers(part)) losses.push(PART_LOSSES[String(part.content_type)] ?? 'unknown_content')
  }
  const text = texts.join('\n\n') || (readText(content.text) ?? '')
  if (text.trim() !== '') return { text, losses }
  return { text, leftOut: losses[0] ?? 'empty', losses: losses.slice(1) }
}

/** Kinds of parts of a message that are not text. */
const PART_LOSSES: Readonly<Record<string, LossReason>> = {
  image_asset_pointer: 'image',
  audio_asset_pointer: 'audio',
  real_time_user_audio_video_asset_pointer: 'video',
  video_container_asset_pointer: 'video'
}

/** Kinds of content that ChatGPT does not show as words of the user or of itself. */
const CONTENT_LOSSES: Readonly<Record<string, LossReason>> = {
  thoughts: 'thinking',
  reasoning_recap: 'thinking',
  execution_output: 'tool_result',
  tether_browsing_display: 'tool_result',
  tether_browsing_code: 'tool_call',
  tether_quote: 'tool_result',
  computer_output: 'tool_result',
  user_editable_context: 'system',
  model_editable_context: 'system',
  system_error: 'system'
}

const TEXT_TYPES = new Set(['text', 'multimodal_text', 'code'])

function findLoss(message: JsonMembers): LossReason | undefined {
  const role = readRole(message)
  const metadata = isMembers(message.metadata) ? message.metadata : {}
  if (role === 'tool') return 'tool_result'
  if (role !== 'user' && role !== 'assistant') return 'system'
  if (metadata.is_visually_hidden_from_conversation === true) return 'system'
  const recipient = readText(message.recipient)
  if (role === 'assistant' && recipient !== undefined && recipient !== 'all') return 'tool_call'
  const type = isMembers(message.content) ? String(message.content.content_type ?? 'text') : 'text'
  return CONTENT_LOSSES[type] ?? (TEXT_TYPES.has(type) ? undefined : 'unknown_content')
}
