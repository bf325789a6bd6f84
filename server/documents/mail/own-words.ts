import { withoutHeaderBlock } from './header-block.ts'
import { withoutQuotes } from './quotes.ts'
import { withoutSignature } from './signature.ts'

/** What is known of a message besides its text. `isReply`: it names messages that it answers. */
export type MailContext = { subject: string; isReply: boolean }

/**
 * What somebody wrote in this message: without the messages that it answers, which are messages of their own, and without the
 * signature. What is passed on is kept. Where nothing would be left, all of it is.
 */
export function ownWords(text: string, context: MailContext): string {
  const lines = text.split('\n')
  const own = withoutQuotes(withoutHeaderBlock(withoutSignature(lines), context), context)
  const left = own
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return left === '' ? text.trim() : left
}
