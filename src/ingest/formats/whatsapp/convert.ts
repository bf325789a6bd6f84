import { takeFile, toMessageItem, toOtherFile } from '../../lines/chat-message.ts'
import { type FileTree, readHead, readWhole, type TreeFile } from '../../port/file-tree.ts'
import type { Given, Item } from '../../port/format.ts'
import type { LossReason } from '../../port/losses.ts'
import { ATTACHED, DELETED, EDITED, FACTS, OMITTED, STAMP } from './facts.ts'
import { parseChat, type WhatsAppMessage } from './parse-chat.ts'

/** WhatsApp exports at most 40,000 messages. */
const CHAT_BYTES_MAX = 100 * 1024 * 1024

/** Converts each message of the chats. */
export async function* convertWhatsApp(tree: FileTree, given: Given): AsyncGenerator<Item> {
  for (const file of tree.files) {
    given.signal.throwIfAborted()
    if (/\.txt$/i.test(file.path)) yield* takeFile(file, convertFile(file, tree, given))
    else yield toOtherFile(file)
  }
}

async function* convertFile(file: TreeFile, tree: FileTree, { zone }: Given): AsyncGenerator<Item> {
  const head = new TextDecoder().decode(await readHead(file, 1000))
  if (!STAMP.test(head.split(/\r?\n/)[0] ?? '')) return yield toOtherFile(file)
  const chat = nameChat(file.path, tree.name)
  const seen = new Set<string>()
  const messages = parseChat(new TextDecoder().decode(await readWhole(file, CHAT_BYTES_MAX)), zone)
  for (const [position, message] of messages.entries()) {
    const path = `${file.path}#${position + 1}`
    const { losses, text } = readBody(message)
    const { speaker = '', time } = message
    const key = JSON.stringify([time?.ms, speaker, text])
    if (text !== '' && seen.has(key)) yield { kind: 'message', path, merged: true }
    else if (text === '') yield { kind: 'message', path, leftOut: losses[0] ?? 'empty' }
    else {
      const more = { zone_guessed: true }
      yield toMessageItem({
        ...{
          format: FACTS.id,
          path: file.path,
          conversation: chat,
          id: path,
          title: chat,
          speaker,
          position,
          text,
          more
        },
        at: time?.ms
      })
      for (const leftOut of losses) yield { kind: 'attachment', path, leftOut }
    }
    seen.add(key)
  }
}

/** On iOS the text is `_chat.txt` in an archive with the name of the chat. */
function nameChat(path: string, treeName: string): string {
  const stem = path.replace(/\.txt$/i, '').replace(/(^|\/)_chat$/, '')
  const name = stem.slice(stem.lastIndexOf('/') + 1) || treeName
  return name.replace(/^WhatsApp[- ]Chat[- ](with |mit |con |avec |met |- )?/i, '') || name
}

/** Returns the words of a message, which are empty for a message of WhatsApp itself, and what is not words. */
function readBody({ speaker, text: body }: WhatsAppMessage): { text: string; losses: LossReason[] } {
  const plain = body.replace(/^\u200e+/, '').trim()
  if (speaker === undefined) return { text: '', losses: ['system'] }
  if (DELETED.test(plain)) return { text: '', losses: ['deleted'] }
  const lines = plain.replace(EDITED, '').split('\n')
  const words = lines.filter((line) => !isFile(line.replaceAll('\u200e', '').trim()))
  if (words.length < lines.length) return { text: words.join('\n').trim(), losses: ['attachment'] }
  // On iOS, a mark before the text says that WhatsApp wrote it.
  if (body.startsWith('\u200e')) return { text: '', losses: ['system'] }
  return { text: lines.join('\n').trim(), losses: [] }
}

function isFile(line: string): boolean {
  return OMITTED.test(line) || ATTACHED.test(line)
}
