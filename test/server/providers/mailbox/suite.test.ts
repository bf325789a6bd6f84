import { mailboxProvider } from '../../../../server/providers/mailbox/mailbox-provider.ts'
import type { SandboxAccount } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { MailboxContent, StoredMessage } from '../../../../server/sandbox/mailbox/content.ts'
import { mailboxSandbox } from '../../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import { allParts, getHeader, parseMime } from '../../../../server/sandbox/mailbox/mime.ts'
import { chooseDocumentType } from '../../../../src/documents/choose-document-type.ts'
import { readMail } from '../../../../src/documents/mail/read-mail.ts'
import { describedFetch, googleDescription } from '../../../suites/google-description.ts'
import { providerSuite, type SuiteEdit } from '../../../suites/provider-suite.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { ADA, CLIO, heldIds } from './mail-kit.ts'

const description = googleDescription('gmail.v1.json')

const edits: readonly SuiteEdit[] = [
  { name: 'a message comes', make: (w) => w.change('receive', { subject: 'Tea', text: 'Tea is ready.' }) },
  {
    name: 'an answer comes',
    make: (w) => w.change('receive', { subject: 'Re: Tea', text: 'On my way.', reply_to: idOf(w, 'Tea') })
  },
  {
    name: 'a letter with a file comes',
    make: (w) =>
      w.change('receive', { subject: 'Letter', html: '<p>Dear Ada</p>', attachments: [{ name: 'a.pdf', size: 9000 }] })
  },
  { name: 'one is thrown away', make: (w) => w.change('trash', { id: idOf(w, 'Sea trial notes') }) },
  { name: 'one is called spam', make: (w) => w.change('spam', { id: idOf(w, 'Boat for the team day') }) },
  { name: 'one is read', make: (w) => w.change('label', { id: idOf(w, 'Tea'), remove: ['UNREAD'], add: ['Kitchen'] }) },
  { name: 'it is taken out of the trash', make: (w) => w.change('untrash', { id: idOf(w, 'Sea trial notes') }) },
  { name: 'it is no spam', make: (w) => w.change('unspam', { id: idOf(w, 'Boat for the team day') }) },
  { name: 'one is deleted', make: (w) => w.change('delete', { id: idOf(w, 'Re: Your birthday') }) },
  { name: 'spam comes', make: (w) => w.change('receive', { subject: 'Win', labels: ['SPAM'] }) },
  { name: 'a draft is begun', make: (w) => w.change('receive', { subject: 'Hm', labels: ['DRAFT'] }) },
  { name: 'three come at once', make: (w) => w.change('receive', { subject: 'Flood', text: 'Water.', count: 3 }) }
]

providerSuite({
  provider: mailboxProvider,
  sandboxProvider: mailboxSandbox,
  account: ADA,
  hostile: CLIO,
  selection: () => [],
  holds,
  edits,
  listing: 'gmail.users.messages.list',
  reading: 'gmail.users.messages.get',
  smallPages,
  documents: () => ({
    readMail: readMail,
    readText: async (bytes) => ({ text: Buffer.from(bytes).toString('latin1').slice(0, 5000), cut: false })
  }),
  ...(description && { described: (fetch, more) => describedFetch(fetch, { description, ...more }) })
})

function idOf({ account }: SuiteWorld, subject: string): string {
  const { messages } = account.content as MailboxContent
  const found = [...messages.values()].find(({ raw }) => getHeader(parseMime(raw), 'subject') === subject)
  if (found === undefined) throw new Error(`no message ${subject}`)
  return found.id
}

function holds({ content }: SandboxAccount): ReadonlyMap<string, string | undefined> {
  const mail = content as MailboxContent
  return new Map(
    heldIds(mail).map((id) => [id, id.includes('/') ? pieceOfFile(mail, id) : pieceOf(mail.messages.get(id))])
  )
}

/** Returns the first words of an attached text, or undefined if the file is not read. */
function pieceOfFile({ messages }: MailboxContent, id: string): string | undefined {
  const [messageId = '', partId] = id.split('/')
  const part = allParts(parseMime(messages.get(messageId)?.raw ?? new Uint8Array())).find(
    (one) => one.partId === partId
  )
  if (part === undefined || 'skipped' in chooseDocumentType({ mimeType: part.mimeType, name: part.filename }))
    return undefined
  return /^[\w ,.]*/.exec(Buffer.from(part.bytes).toString('latin1'))?.[0].trim() ?? ''
}

/** Returns the first words of the first text, as far as they are plain letters. */
function pieceOf(message: StoredMessage | undefined): string {
  const parts = message === undefined ? [] : allParts(parseMime(message.raw))
  const plain = parts.find(
    ({ mimeType, bytes, filename }) => mimeType === 'text/plain' && !filename && bytes.length > 0
  )
  if (plain !== undefined) return /^[\w ,.]+/.exec(Buffer.from(plain.bytes).toString())?.[0].trim() ?? ''
  const html = parts.find(({ mimeType }) => mimeType === 'text/html')
  return /<p>([\w ,.]+)/.exec(Buffer.from(html?.bytes ?? []).toString())?.[1]?.trim() ?? ''
}

function smallPages(request: Request): Request {
  const url = new URL(request.url)
  if (url.searchParams.has('maxResults')) url.searchParams.set('maxResults', '2')
  return new Request(url, request)
}
