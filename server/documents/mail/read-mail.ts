import PostalMime, { type Address, type Email } from 'postal-mime'
import type { Mail, MailAddress } from '../../providers/documents.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import { bodyText } from './body-text.ts'
import { ownWords } from './own-words.ts'
import { withReadableHead } from './readable-head.ts'
import { withLettersMeant } from './windows-1252.ts'

/** Limits of what is read of one message. Lengths in UTF-16 code units. */
const TEXT_LENGTH_MAX = 1024 * 1024
const NAME_LENGTH_MAX = 16 * 1024
const ADDRESSES_MAX = 200
const REFERENCES_MAX = 1000
const ATTACHMENTS_MAX = 100
const FILE_NAME_LENGTH_MAX = 1024

/** Parsing takes about 10 us for each line. An attachment of 25 MiB has 350,000. */
const LINES_MAX = 400_000

/** Levels of parts, bytes of all headers, and levels of messages within messages that are read as text. */
const PARSING = { maxNestingDepth: 100, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 3 } as const

/**
 * A message of RFC 5322 and MIME, as far as it is one: what was written in it, by whom, to whom and in answer to what.
 *
 * @throws ProviderFailure `item_permanent` where it is beyond reading.
 */
export async function readMail(bytes: Uint8Array): Promise<Mail> {
  const { whole, end } = firstLines(bytes)
  const email = await parsed(withReadableHead(bytes.subarray(0, end)))
  const subject = line(email.subject ?? '')
  const references = referencesOf(email)
  const body = bodyText(email)
  const text = ownWords(body.text, { subject, isReply: references.length > 0 })
  const [from] = addressesOf([email.from, email.sender])
  const messageId = idsIn(email.messageId)[0]
  return {
    ...(subject !== '' && { subject }),
    ...(from && { from }),
    to: addressesOf([...(email.to ?? []), ...(email.cc ?? [])]).slice(0, ADDRESSES_MAX),
    ...(messageId !== undefined && { messageId }),
    references,
    text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
    attachments: attachmentNames(email),
    cut: !whole || body.cut || text.length > TEXT_LENGTH_MAX
  }
}

/** Where the lines end that are read. */
function firstLines(bytes: Uint8Array): { whole: boolean; end: number } {
  let end = 0
  for (let lines = 0; lines < LINES_MAX; lines++) {
    const at = bytes.indexOf(LF, end)
    if (at === -1) return { whole: true, end: bytes.length }
    end = at + 1
  }
  return { whole: false, end }
}

const LF = 0x0a

async function parsed(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, PARSING)
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it is broken'
    throw new ProviderFailure('item_permanent', `the message cannot be read: ${why}`, { cause: error })
  }
}

/** What it answers, oldest first: all that it names, then the one it names as answered, if that is another one. */
function referencesOf({ references, inReplyTo }: Email): string[] {
  return [...new Set([...idsIn(references), ...idsIn(inReplyTo)])].slice(-REFERENCES_MAX)
}

function idsIn(header = ''): string[] {
  const ids = header.match(/<[^<>\s]{1,998}>/g) ?? []
  return ids.map((id) => id.slice(1, -1).toWellFormed())
}

function addressesOf(found: readonly (Address | undefined)[]): MailAddress[] {
  return found.flatMap((one) => {
    if (one === undefined) return []
    if (one.group !== undefined) return one.group.flatMap(addressOf)
    return addressOf(one)
  })
}

function addressOf({ name, address }: { name: string; address: string }): MailAddress[] {
  const said = line(name)
  const at = line(address)
  if (said === '' && at === '') return []
  return [{ ...(said !== '' && { name: said }), address: at }]
}

/** Pictures that stand within the text are no files to a person. */
function attachmentNames({ attachments }: Email): string[] {
  return attachments
    .filter(
      ({ related, disposition, mimeType }) => !related && !(disposition === 'inline' && /^image\//.test(mimeType))
    )
    .flatMap(({ filename }) => line(filename ?? '').slice(0, FILE_NAME_LENGTH_MAX) || [])
    .slice(0, ATTACHMENTS_MAX)
}

/** One line of a header: without breaks, of bounded length. */
function line(text: string): string {
  return withLettersMeant(text.slice(0, NAME_LENGTH_MAX))
    .replace(/[\r\n\t]+/g, ' ')
    .trim()
    .toWellFormed()
}
