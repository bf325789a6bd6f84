import { takeFile, toMessageItem, toOtherFile } from '../lines/chat-message.ts'
import { type FileTree, readHead, readWhole, type TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import type { LossReason } from '../port/losses.ts'
import { parseWhatsAppChat, STAMP, type WhatsAppMessage } from './parse-whats-app-chat.ts'

/**
 * https://faq.whatsapp.com/1180414079177245: a text of a chat, whose form depends on the phone and its language. Android
 * writes `DATE, TIME - NAME: TEXT`, iOS `[DATE, TIME] NAME: TEXT`. Years have two or four digits and may be first; the parts
 * of a date are separated by `/`, `.` or `-`; hours have 12 or 24 values, and seconds may be absent.
 */
export const WHATSAPP_FACTS: FormatFacts = {
  id: 'whatsapp',
  name: 'an export of WhatsApp',
  markers: [
    {
      path: /\.txt$/i,
      head: [
        /^[\ufeff\u200e]*\[?\d{1,4}([./-]) ?\d{1,2}\1 ?\d{1,4}\.?,?\s\D{0,12}\d{1,2}[:.]\d\d[^\n]{0,16}?(\]|\s[-–])\s/
      ]
    }
  ],
  edits: 'none'
}

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
  const messages = parseWhatsAppChat(new TextDecoder().decode(await readWhole(file, CHAT_BYTES_MAX)), zone)
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
          format: WHATSAPP_FACTS.id,
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

/** What stands for a deleted message, in the largest languages. */
const DELETED =
  /^(this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje|ce message a été supprimé|vous avez supprimé ce message|questo messaggio è stato eliminato|hai eliminato questo messaggio|mensagem apagada|você apagou esta mensagem|dit bericht is verwijderd)\.?$/iu

/** What WhatsApp adds to an edited message, such as `<This message was edited>`. */
const EDITED =
  /\s*\u200e?<(this message was edited|diese nachricht wurde bearbeitet|se editó este mensaje|ce message a été modifié)>$/iu

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

/**
 * What stands for a file that was not exported, such as `<Media omitted>` (Android, in angle brackets in all of 50 languages)
 * or `image omitted` (iOS): https://github.com/mlomb/chat-analytics/blob/main/pipeline/parse/parsers/WhatsApp.ts.
 */
const OMITTED =
  /^(<[^<>\n]{3,60}>|[\p{L}\p{M} -]{3,40} (omitted|weggelassen|omitid[oa]|absente?|omess[oa]|ocultad[oa]|weggelaten))$/iu

/**
 * A line that names an exported file, such as `IMG-1.jpg (file attached)` (Android) or `<attached: 1-PHOTO.jpg>` (iOS), in
 * any language: https://github.com/rodrigogs/whats-reader/pull/76.
 */
const ATTACHED = /^(<[^<>\n:]{3,30}: ([^<>\n]+\.\w{2,5})>|([^\n]+\.\w{2,5}) \([^()\n]{5,40}\))$/u

function isFile(line: string): boolean {
  return OMITTED.test(line) || ATTACHED.test(line)
}
