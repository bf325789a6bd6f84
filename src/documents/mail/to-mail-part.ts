import type { TextPart } from '../chunking/draft-memories.ts'
import type { Mail } from '../port/document-reader.ts'

/** What a message itself does not state. */
export type MailPlace = {
  /** The thread that it belongs to. */
  conversation: string
  /** When the mailbox received it, in milliseconds since 1970. */
  at: number | undefined
  /** Whether the owner of the mailbox wrote it. */
  sent: boolean
}

/** Maximum number of recipients in the text. */
const RECIPIENTS_MAX = 20

/**
 * Converts a message to one part: its text, sender and time, with its thread as conversation. Connectors and imports share
 * it, so that both give a message the same memory id. A message without text is represented by its subject. Returns
 * undefined if there is no subject either.
 */
export function toMailPart(mail: Mail, { conversation, at, sent }: MailPlace): TextPart | undefined {
  const said = mail.text === '' ? { ...mail, text: mail.subject ?? '' } : mail
  const text = composeText(said, sent)
  if (text === '') return undefined
  const speaker = mail.from?.name ?? mail.from?.address
  return {
    text,
    ...(at !== undefined && isTime(at) && { at }),
    ...(speaker && { speaker }),
    conversation,
    // The number of earlier messages in its branch of the thread, which it lists completely.
    position: mail.references.length
  }
}

/** Reports whether a time has a year of four digits. Imported mail may have any time. */
export function isTime(at: number): boolean {
  return at >= -62_135_596_800_000 && at <= 253_402_300_799_999
}

/**
 * Composes the text of a message. Its body comes first, followed by the names of attachments. A message of the account
 * itself also lists its recipients, since the speaker does not tell them. For other messages the recipient is usually
 * the account.
 */
function composeText({ text, to, attachments }: Mail, sent: boolean): string {
  const names = to.slice(0, RECIPIENTS_MAX).map(({ name, address }) => (name ? `${name} <${address}>` : address))
  const lines = [
    ...(sent && names.length > 0 ? [`To: ${names.join(', ')}`] : []),
    ...(attachments.length > 0 ? [`Attachments: ${attachments.join(', ')}`] : [])
  ]
  return [text, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}
