import type { DocumentText, MailAddress } from '../port/document-reader.ts'
import { readMail } from './read-mail.ts'

/** Maximum number of recipients and of attached files listed for a message. */
const NAMES_MAX = 20

/** Reads a message file as text: sender and recipients, its own words, and the names of attached files. */
export async function readEml(bytes: Uint8Array): Promise<DocumentText> {
  const { subject, from, to, text, attachments, cut } = await readMail(bytes)
  const head = [
    ...(from === undefined ? [] : [`From: ${formatAddress(from)}`]),
    ...(to.length === 0 ? [] : [`To: ${joinNames(to.map(formatAddress))}`]),
    ...(subject === undefined ? [] : [`Subject: ${subject}`])
  ]
  const parts = [head.join('\n'), text, attachments.length === 0 ? '' : `Attached: ${joinNames(attachments)}`]
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    ...(subject !== undefined && { title: subject }),
    cut
  }
}

function formatAddress({ name, address }: MailAddress): string {
  return name === undefined ? address : `${name} <${address}>`
}

function joinNames(names: readonly string[]): string {
  const more = names.length - NAMES_MAX
  return more > 0 ? `${names.slice(0, NAMES_MAX).join(', ')} and ${more} more` : names.join(', ')
}
