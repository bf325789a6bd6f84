import { addMessage, type MailboxContent, type StoredMessage } from './content.ts'
import { headerOf, mimeTree } from './mime-tree.ts'

/**
 * Puts a message into a mailbox as it came. It joins the thread of a message that it names as answered, unless one is given; else
 * it begins its own, whose id is its own id.
 */
export function deliver(
  content: MailboxContent,
  mail: { raw: Uint8Array; at: number; labels: readonly string[]; threadId?: string | undefined },
  random: () => number
): StoredMessage {
  const { raw, at, labels } = mail
  const tree = mimeTree(raw)
  const named =
    `${headerOf(tree, 'references') ?? ''} ${headerOf(tree, 'in-reply-to') ?? ''}`.match(/<[^<>\s]+>/g) ?? []
  const thread = named.map((messageId) => content.threads.get(messageId)).find((known) => known !== undefined)
  const id = newId(content, random)
  const messageId = headerOf(tree, 'message-id')?.trim()
  return addMessage(content, { id, threadId: mail.threadId ?? thread ?? id, labels, at, raw, messageId })
}

/** 16 hexadecimal digits, as ids of messages and threads are. */
function newId(content: MailboxContent, random: () => number): string {
  for (;;) {
    const halves = [random(), random()].map((part) =>
      Math.floor(part * 2 ** 32)
        .toString(16)
        .padStart(8, '0')
    )
    const id = halves.join('')
    if (!content.messages.has(id)) return id
  }
}
