import type { TextPart } from '../chunking/draft-memories.ts'
import { blockText, findMentionsInBlocks, toList, toMembers } from './slack-blocks.ts'
import { findLabels, findMentions, type Names, toPlainText } from './to-plain-text.ts'

/** A message of Slack, in the API and in an export (https://docs.slack.dev/reference/events/message). */
export type SlackMessage = {
  /** Seconds, a point and six digits, which identify a message within its channel. */
  ts: string
  thread_ts?: string | null | undefined
  reply_count?: number | null | undefined
  subtype?: string | null | undefined
  hidden?: boolean | null | undefined
  user?: string | null | undefined
  bot_id?: string | null | undefined
  /** The name of the app, as its message shows it. */
  username?: string | null | undefined
  bot_profile?: { name?: string | null | undefined } | null | undefined
  text?: string | null | undefined
  user_profile?: SlackProfile | null | undefined
  blocks?: readonly unknown[] | null | undefined
  attachments?: readonly unknown[] | null | undefined
  files?: readonly unknown[] | null | undefined
}

/** Returns the name of a user that Slack shows it. The display name is empty unless the person has set one. */
export function chooseUserName({ id, name, real_name, profile }: SlackUser): string {
  return profile?.display_name || profile?.real_name || real_name || name || id
}

export type SlackUser = {
  id: string
  name?: string | null | undefined
  real_name?: string | null | undefined
  profile?: SlackProfile | null | undefined
}

type SlackProfile = { display_name?: string | null | undefined; real_name?: string | null | undefined }

/**
 * Tells messages with words of a person or app from those that report an event of the channel, and from deleted ones,
 * which Slack keeps for their threads. Unknown subtypes may have words.
 */
export function classifyMessage({ subtype, hidden }: SlackMessage): MessageKind {
  if (DELETED_SUBTYPES.has(subtype ?? '')) return { kind: 'deleted' }
  if (subtype === 'ekm_access_denied') return { kind: 'event', why: 'its text is locked by a key of the workspace' }
  if (EVENT_SUBTYPES.test(subtype ?? '')) return { kind: 'event', why: `an event of the channel: ${subtype}` }
  return hidden ? { kind: 'event', why: 'Slack hides the message' } : { kind: 'words' }
}

/** `why` is half a sentence. */
type MessageKind = { kind: 'words' } | { kind: 'deleted' } | { kind: 'event'; why: string }

const DELETED_SUBTYPES: ReadonlySet<string> = new Set(['tombstone', 'message_deleted'])

/**
 * Subtypes of messages that report an event (https://docs.slack.dev/reference/events/message#subtypes). Slack writes
 * their texts.
 */
const EVENT_SUBTYPES =
  /^(channel|group|bot_(add|remove|enable|disable)$|(un)?pinned_item$|reminder|ekm|sh_room|huddle|document_mention|list_record|message_(changed|replied)$)/

/**
 * Converts a message to text parts: its own words, then each message that it forwards, with the speaker and the time of
 * the original. A thread is a conversation, and so are the messages of a channel on one day (UTC) outside of threads.
 */
export function toSlackParts(message: SlackMessage, channel: string, names: Names): TextPart[] {
  const { ts, thread_ts, attachments } = message
  const root = thread_ts ?? ts
  const threaded = root !== ts || (message.reply_count ?? 0) > 0
  const at = toMs(ts)
  const day = new Date(at).toISOString().slice(0, 10)
  const start = threaded ? toMicros(root) : BigInt(Date.parse(day)) * 1000n
  const speaker = chooseSpeaker(message, names)
  const conversation = `${channel}/${threaded ? root : day}`
  // Microseconds since the conversation began, which is known without the other messages and preserves their order.
  const position = Math.max(0, Number(toMicros(ts) - start))
  const own = { text: writeText(message, names), at, ...(speaker && { speaker }), conversation, position }
  const forwarded = toList(attachments).filter(isForwarded).map(toForwarded)
  const others = forwarded.map((original, n) => ({
    text: writeText(original, names),
    at: TIME.test(original.ts) ? toMs(original.ts) : at,
    speaker: chooseAuthor(original, names),
    conversation,
    position: position + n + 1
  }))
  return [own, ...others].filter(({ text }) => text.trim() !== '')
}

/** See `SlackMessage.ts`. */
const TIME = /^\d{10}\.\d{6}$/

function toMs(ts: string): number {
  return Number(toMicros(ts) / 1000n)
}

function toMicros(time: string): bigint {
  return BigInt(time.replace('.', ''))
}

/** Returns the name of the app or person that posted a message. */
function chooseSpeaker(message: SlackMessage, names: Names): string | undefined {
  const { user, bot_id, user_profile } = message
  const named = getAppName(message)
  const person = user ? names.get(user) || user_profile?.display_name || user_profile?.real_name : undefined
  if (bot_id) return named ?? (names.get(bot_id) || person || user || bot_id)
  return user ? person || user : named
}

/** Returns the name of the author of a forwarded message. People of other workspaces are known by their id only. */
function chooseAuthor({ user = '', username }: SlackMessage, names: Names): string {
  const known = names.get(user ?? '')
  return (known === user ? undefined : known) || username || user || ''
}

function getAppName({ username, bot_profile }: SlackMessage): string | undefined {
  return bot_profile?.name || username || undefined
}

/** Finds the people and apps whose names are needed to show a message. */
export function findIds(message: SlackMessage): string[] {
  const { user, bot_id, text, blocks, attachments } = message
  const author = bot_id ? (getAppName(message) === undefined ? [bot_id, user ?? ''] : []) : [user ?? '']
  const forwarded = toList(attachments).filter(isForwarded)
  const others = toList(attachments).filter((one) => !isForwarded(one))
  const mentioned = [...findMentions(text ?? ''), ...findMentionsInBlocks([...toList(blocks), ...others])]
  const originals = forwarded.flatMap((one) => findIds(toForwarded(one)))
  return [...author, ...mentioned, ...originals].filter((id) => id !== '')
}

/**
 * Reports whether an attachment is a message that was forwarded, or whose link was posted. Slack adds its author, its
 * time and its blocks.
 */
function isForwarded(attachment: unknown): boolean {
  const { is_share, is_msg_unfurl, message_blocks, author_id, author_name } = toMembers(attachment)
  const isMessage = is_share === true || is_msg_unfurl === true || Array.isArray(message_blocks)
  return isMessage && [author_id, author_name].some((name) => typeof name === 'string' && name !== '')
}

function toForwarded(attachment: unknown): SlackMessage {
  const { ts, author_id, author_name, text, message_blocks, files } = toMembers(attachment)
  const name = toText(author_name)
  const blocks = toList(message_blocks).flatMap((one) => toList(toMembers(toMembers(one).message).blocks))
  return {
    ts: toText(ts) ?? (typeof ts === 'number' ? ts.toFixed(6) : ''),
    user: toText(author_id),
    username: name,
    text: toText(text),
    blocks,
    files: toList(files)
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the text, followed by what blocks, attachments and files have beyond it. */
function writeText({ text, blocks, attachments, files }: SlackMessage, names: Names): string {
  const own = text?.trim() ? toPlainText(text, names) : ''
  const more = [...toList(blocks), ...toList(attachments).filter((one) => !isForwarded(one))]
  const known = own === '' ? names : new Map([...names, ...findLabels(text ?? '')])
  return [own, blockText(more, known, own), ...toList(files).map((file) => writeFile(file, names, own))]
    .filter((one) => one !== '')
    .join('\n')
}

/** Returns the name of a file and the text that Slack includes with it. */
function writeFile(file: unknown, names: Names, said: string): string {
  const { title, name, alt_txt, initial_comment } = toMembers(file)
  const label = toText(title) ?? toText(name) ?? ''
  const comment = toText(initial_comment) ?? toText(toMembers(initial_comment).comment)
  const texts = [toText(alt_txt), comment && toPlainText(comment, names), ...listMailHeaders(file), getFileText(file)]
  const added = texts.filter((text) => text !== undefined && text.trim() !== '' && text !== label)
  return [said.includes(label) ? '' : label, ...added].filter((line) => line !== '').join('\n')
}

/** Returns who sent an email that was posted to a channel, and to whom. Its subject is the title of the file. */
function listMailHeaders(file: unknown): string[] {
  const { from, to, cc } = toMembers(file)
  return Object.entries({ From: from, To: to, Cc: cc }).flatMap(([name, value]) => {
    const people = toList(value).flatMap(
      (one) => toText(toMembers(one).original) ?? toText(toMembers(one).address) ?? []
    )
    return people.length === 0 ? [] : [`${name}: ${people.join(', ')}`]
  })
}

/** Returns the text of a snippet, a post, an email or a recording, as far as Slack includes it. */
function getFileText(file: unknown): string | undefined {
  const { plain_text, preview, transcription } = toMembers(file)
  return toText(plain_text) ?? toText(preview) ?? toText(toMembers(toMembers(transcription).preview).content)
}

/** Returns why the text of a message is incomplete, as a sentence, or undefined if it is complete. */
export function findMessageCut({ files, attachments }: SlackMessage): string | undefined {
  const all = [
    ...toList(files),
    ...toList(attachments)
      .filter(isForwarded)
      .flatMap((one) => toForwarded(one).files ?? [])
  ]
  const cuts = new Set(all.map(findFileCut))
  return [BEGUN, WITHOUT_TEXT].filter((cut) => cuts.has(cut)).join('; ') || undefined
}

const BEGUN = 'only the beginning of its files is read, because Slack includes no more with the message'
const WITHOUT_TEXT = 'only the names of its files are read, because Slack does not include their text with the message'

/** Returns why the text of a file is incomplete, or undefined if it is complete. Images, audio and videos have no text. */
function findFileCut(file: unknown): string | undefined {
  const { mimetype, mode, plain_text, preview_is_truncated, lines_more, transcription } = toMembers(file)
  if (toText(plain_text) !== undefined) return undefined
  const isMore = toMembers(toMembers(transcription).preview).has_more === true
  const isPart = preview_is_truncated === true || (typeof lines_more === 'number' && lines_more > 0) || isMore
  if (getFileText(file) !== undefined) return isPart ? BEGUN : undefined
  return mode === 'tombstone' || /^(image|video|audio)\//.test(toText(mimetype) ?? '') ? undefined : WITHOUT_TEXT
}
