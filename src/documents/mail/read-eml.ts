import type { DocumentText, ForwardedMail, MailAddress } from '../port/document-reader.ts'
import { readMail } from './read-mail.ts'

/** Maximum number of recipients and of attached files listed for a message. */
const NAMES_MAX = 20

/** Reads a message file as text: sender and recipients, its own words, and the names of attached files. */
export async function readEml(bytes: Uint8Array): Promise<DocumentText> {
  const { subject, from, to, text, events = '', forwarded = [], attachments, cut } = await readMail(bytes)
  const head = [
    ...(from === undefined ? [] : [`From: ${formatAddress(from)}`]),
    ...(to.length === 0 ? [] : [`To: ${joinNames(to.map(formatAddress))}`]),
    ...(subject === undefined ? [] : [`Subject: ${subject}`])
  ]
  const inner = forwarded.map(formatForwarded)
  const parts = [
    head.join('\n'),
    text,
    events,
    ...inner,
    attachments.length === 0 ? '' : `Attached: ${joinNames(attachments)}`
  ]
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    ...(subject !== undefined && { title: subject }),
    cut
  }
}

/** Writes a message that is a part of another one below its headers, as mail programs do. */
function formatForwarded({ from, to, subject, date, text }: ForwardedMail): string {
  const head = [
    '---------- Forwarded message ----------',
    ...(from === undefined ? [] : [`From: ${formatAddress(from)}`]),
    ...(date === undefined ? [] : [`Date: ${date}`]),
    ...(subject === undefined ? [] : [`Subject: ${subject}`]),
    ...(to.length === 0 ? [] : [`To: ${joinNames(to.map(formatAddress))}`])
  ]
  return `${head.join('\n')}\n\n${text}`
}

function formatAddress({ name, address }: MailAddress): string {
  return name === undefined ? address : `${name} <${address}>`
}

function joinNames(names: readonly string[]): string {
  const more = names.length - NAMES_MAX
  return more > 0 ? `${names.slice(0, NAMES_MAX).join(', ')} and ${more} more` : names.join(', ')
}
