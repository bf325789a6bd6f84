import { type ChatMessage, createSeenIds, takeFiles, toMessageItem } from '../lines/chat-message.ts'
import { isMembers, type JsonMembers, listMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import { parseZonedTime, type ZonedTime } from '../lines/zoned-time.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import type { LossReason } from '../port/losses.ts'

/** https://core.telegram.org/import-export: `result.json`, of one chat or of the account. */
export const TELEGRAM_FACTS: FormatFacts = {
  id: 'telegram',
  name: 'an export of Telegram',
  markers: [
    { path: /\.json$/i, head: [/"messages"\s*:\s*\[/, /"date_unixtime"\s*:/, /"from"\s*:|"actor"\s*:/] },
    { path: /(^|\/)result\.json$/, head: [/"about"\s*:\s*"[^"]*Telegram/] }
  ],
  edits: 'messages'
}

type Work = { given: Given; path: string; isSeen: (conversation: string, id: string) => boolean }

/** Converts each message of the chats. */
export async function* convertTelegram(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const isSeen = createSeenIds()
  yield* takeFiles(tree, given, (file) =>
    /\.json$/i.test(file.path) ? convertFile(file, { given, path: file.path, isSeen }) : undefined
  )
}

/** The kinds of `media_type`. Other files are attachments. */
const MEDIA_LOSSES: Readonly<Record<string, LossReason>> = {
  sticker: 'image',
  animation: 'video',
  video_file: 'video',
  video_message: 'video',
  voice_message: 'audio',
  audio_file: 'audio'
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let count = 0
  for await (const part of readJsonObjects(file)) {
    const chats = 'object' in part ? listChats(part.object) : []
    count += chats.length
    if (chats.length === 0) yield { kind: 'file', path: file.path, leftOut: 'malformed' }
    for (const chat of chats) yield* convertChat(chat, work)
  }
  if (count === 0 && file.size === 0) yield { kind: 'file', path: file.path, leftOut: 'empty' }
}

/** Lists the chats of an account, or the only one. */
function listChats(object: JsonMembers): JsonMembers[] {
  if (Array.isArray(object.messages)) return [object]
  return [object.chats, object.left_chats].flatMap((lists) => (isMembers(lists) ? listMembers(lists.list) : []))
}

function* convertChat(chat: JsonMembers, { given, path, isSeen }: Work): Generator<Item> {
  const title = readText(chat.name)
  const conversation = readId(chat.id) ?? title ?? path
  for (const [position, message] of listMembers(chat.messages).entries()) {
    const id = `${conversation}/${readId(message.id) ?? position}`
    if (isSeen(conversation, id)) yield { kind: 'message', path: id, merged: true }
    else yield* convertMessage(message, { path, conversation, id, title, position }, given)
  }
}

type Place = Pick<ChatMessage, 'path' | 'conversation' | 'id' | 'title' | 'position'>

function* convertMessage(message: JsonMembers, place: Place, { zone }: Given): Generator<Item> {
  const { id: path, title } = place
  const text = readWords(message)
  const losses = listLosses(message)
  const isEvent = message.type !== 'message'
  if (isEvent)
    return yield { kind: 'message', path, leftOut: message.type === 'service' ? 'system' : 'unknown_content' }
  if (text === '') return yield { kind: 'message', path, leftOut: losses[0] ?? 'empty' }
  const time = readTime(message, zone)
  const forwarded = readText(message.forwarded_from)
  const more = { ...(time?.guessed && { zone_guessed: true }), ...(forwarded && { forwarded_from: forwarded }) }
  const speaker = readText(message.from) ?? readText(message.from_id) ?? title ?? 'unknown'
  // Without an id, the position names the message, which another export may give to another one.
  const replaces = readId(message.id) && path
  const edit = { replaces, editedAt: readEdited(message) }
  yield toMessageItem({ format: TELEGRAM_FACTS.id, ...place, text, speaker, at: time?.ms, ...edit, more })
  for (const leftOut of losses) yield { kind: 'attachment', path, leftOut }
}

function readId(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : readText(value)
}

/** `date` is in the zone of the computer that exported, which the export does not name. */
function readTime({ date, date_unixtime }: JsonMembers, zone: string): ZonedTime | undefined {
  const seconds = Number(readText(date_unixtime) ?? Number.NaN)
  if (Number.isSafeInteger(seconds)) return { ms: seconds * 1000, guessed: false }
  return parseZonedTime(readText(date) ?? '', zone)
}

function readEdited({ edited_unixtime }: JsonMembers): number | undefined {
  const seconds = Number(readText(edited_unixtime) ?? Number.NaN)
  return Number.isSafeInteger(seconds) ? seconds * 1000 : undefined
}

/** Returns the text of a message, or the question and the answers of a poll. */
function readWords({ text, poll }: JsonMembers): string {
  const words = joinText(text)
  if (words !== '' || !isMembers(poll)) return words
  const answers = listMembers(poll.answers).map(({ text }) => `- ${joinText(text)}`)
  return [joinText(poll.question), ...answers].join('\n').trim()
}

/** A text is a string, or a list of strings and of objects for words with a format. */
function joinText(text: unknown): string {
  const parts: unknown[] = Array.isArray(text) ? text : [text]
  return parts
    .map((part) => (typeof part === 'string' ? part : isMembers(part) ? (readText(part.text) ?? '') : ''))
    .join('')
    .trim()
}

function listLosses({ photo, file, media_type, contact_information, location_information }: JsonMembers): LossReason[] {
  if (photo !== undefined) return ['image']
  if (file !== undefined || media_type !== undefined) return [MEDIA_LOSSES[String(media_type)] ?? 'attachment']
  return contact_information !== undefined || location_information !== undefined ? ['unknown_content'] : []
}
