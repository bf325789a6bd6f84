/**
 * The kinds of items that an import counts, and the reasons for leaving one out. Both lists are fixed, so programs that
 * read a report may rely on the names.
 */

/** The kinds of items, with the word for one and for several. */
export const ITEM_KINDS = {
  note: ['note', 'notes'],
  document: ['document', 'documents'],
  file: ['file', 'files'],
  folder: ['folder', 'folders'],
  conversation: ['conversation', 'conversations'],
  message: ['message', 'messages'],
  block: ['block', 'blocks'],
  mail: ['mail', 'mails'],
  page: ['page', 'pages'],
  row: ['row', 'rows'],
  rest: ['rest of a text', 'rests of texts'],
  entity: ['entity', 'entities'],
  fact: ['fact', 'facts'],
  attachment: ['attachment', 'attachments']
} as const satisfies Record<string, Words>

export type ItemKind = keyof typeof ITEM_KINDS

/** The reasons for leaving an item out, in the singular and the plural. */
export const LOSS_REASONS = {
  empty: ['empty', 'empty'],
  unreadable: ['unreadable', 'unreadable'],
  damaged: ['damaged', 'damaged'],
  malformed: ['malformed', 'malformed'],
  encrypted: ['encrypted', 'encrypted'],
  too_large: ['too large', 'too large'],
  truncated: ['truncated text', 'truncated texts'],
  unsupported: ['unsupported file', 'unsupported files'],
  archive: ['archive inside', 'archives inside'],
  image: ['image', 'images'],
  audio: ['audio file', 'audio files'],
  video: ['video', 'videos'],
  attachment: ['attachment', 'attachments'],
  link: ['link to a place outside', 'links to places outside'],
  special_file: ['device or socket', 'devices or sockets'],
  unsafe_path: ['unsafe path', 'unsafe paths'],
  hidden: ['hidden', 'hidden'],
  settings: ['settings file', 'settings files'],
  excluded: ['excluded by --only', 'excluded by --only'],
  before_since: ['older than --since', 'older than --since'],
  tool_call: ['tool call', 'tool calls'],
  tool_result: ['tool result', 'tool results'],
  thinking: ['thinking block', 'thinking blocks'],
  system: ['system message', 'system messages'],
  draft: ['draft', 'drafts'],
  spam: ['spam mail', 'spam mails'],
  trash: ['mail in the trash', 'mails in the trash'],
  deleted: ['deleted message', 'deleted messages'],
  other_branch: ['message of another branch', 'messages of other branches'],
  unknown_content: ['unknown kind of content', 'unknown kinds of content']
} as const satisfies Record<string, Words>

export type LossReason = keyof typeof LOSS_REASONS

type Words = readonly [one: string, several: string]

/** Returns why a file without text that a format reads is left out, by its ending. */
export function findSkipReason(path: string): LossReason {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return SKIP_REASONS.find(({ endings }) => endings.includes(ending))?.reason ?? 'unsupported'
}

const SKIP_REASONS: readonly { reason: LossReason; endings: readonly string[] }[] = [
  { reason: 'image', endings: 'png jpg jpeg gif webp svg bmp ico tif tiff heic avif'.split(' ') },
  { reason: 'audio', endings: 'mp3 wav ogg oga opus m4a flac aac amr'.split(' ') },
  { reason: 'video', endings: 'mp4 mov avi mkv webm m4v 3gp'.split(' ') },
  { reason: 'archive', endings: 'zip tar gz tgz bz2 xz 7z rar zst'.split(' ') },
  { reason: 'settings', endings: ['canvas', 'base'] }
]
