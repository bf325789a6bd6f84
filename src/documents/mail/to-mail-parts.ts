import type { TextPart } from '../chunking/draft-memories.ts'
import type { ForwardedMail, Mail, MailAddress } from '../port/document-reader.ts'
import { splitForwarded } from './split-forwarded.ts'

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
 * Converts a message to its parts: its text, sender and time, with its thread as conversation, then each forwarded
 * message with its own sender and time. Connectors and imports share it, so that both give a message the same memory
 * ids. A message without text is represented by its subject. Returns no part if there is no subject either.
 */
export function toMailParts(mail: Mail, { conversation, at, sent }: MailPlace): TextPart[] {
  const { text: own, forwarded: quoted } = splitForwarded(mail)
  const said = own === '' && mail.events === undefined ? (mail.subject ?? '') : own
  // The number of earlier messages in its branch of the thread, which it lists completely.
  const position = mail.references.length
  const forwarded = [...quoted, ...(mail.forwarded ?? [])].map((one): Spoken => {
    return { text: composeForwarded(one, mail.from), at: one.at, speaker: one.from }
  })
  const parts: Spoken[] = [{ text: composeText({ ...mail, text: said }, sent), at, speaker: mail.from }, ...forwarded]
  return parts
    .filter(({ text }) => text !== '')
    .map(({ text, at: time, speaker: { name, address } = { address: '' } }) => ({
      text,
      ...(time !== undefined && isTime(time) && { at: time }),
      ...((name ?? address) && { speaker: name ?? address }),
      conversation,
      position
    }))
}

type Spoken = { text: string; at: number | undefined; speaker: MailAddress | undefined }

/** Reports whether a time has a year of four digits. Imported mail may have any time. */
export function isTime(at: number): boolean {
  return at >= -62_135_596_800_000 && at <= 253_402_300_799_999
}

/**
 * Composes the text of a message. Its body comes first, then calendar objects and the names of attachments. A message
 * of the account itself also lists its recipients, since the speaker does not tell them. For other messages the
 * recipient is usually the account.
 */
function composeText({ text, events, to, attachments }: Mail, sent: boolean): string {
  const lines = [
    ...(sent && to.length > 0 ? [`To: ${listPeople(to)}`] : []),
    ...(attachments.length > 0 ? [`Attachments: ${attachments.join(', ')}`] : [])
  ]
  return [text, events ?? '', lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** Composes the text of a forwarded message, with who forwarded it and, if it has no time, its date as it was written. */
function composeForwarded({ text, subject, to, date, at }: ForwardedMail, by: MailAddress | undefined): string {
  const said = text === '' ? (subject ?? '') : text
  if (said === '') return ''
  const lines = [
    ...(to.length > 0 ? [`To: ${listPeople(to)}`] : []),
    ...(at === undefined && date !== undefined ? [`Date: ${date}`] : []),
    ...(by === undefined ? [] : [`Forwarded by: ${formatPerson(by)}`])
  ]
  return [said, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

function listPeople(people: readonly MailAddress[]): string {
  return people.slice(0, RECIPIENTS_MAX).map(formatPerson).join(', ')
}

function formatPerson({ name, address }: MailAddress): string {
  if (name === undefined) return address
  return address === '' ? name : `${name} <${address}>`
}
