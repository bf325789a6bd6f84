import type { Email } from 'postal-mime'
import { htmlText } from './html-text.ts'
import { withLettersMeant } from './windows-1252.ts'

/** How much of a body is looked at, in UTF-16 code units: far more than anybody writes. */
const BODY_LENGTH_MAX = 1024 * 1024

/** A plain part that is this much shorter than what the HTML says only says that there is HTML. */
const STUB_LENGTH_MAX = 200
const STUB_SHARE = 0.2

export type Body = { text: string; cut: boolean }

/**
 * What a message says: its plain part, or where there is none, or one that stands in for the other, its HTML.
 */
export function bodyText({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): Body {
  const plain = tidy(text.slice(0, BODY_LENGTH_MAX))
  if (html === '' || plain.length > STUB_LENGTH_MAX) return { text: plain, cut: text.length > BODY_LENGTH_MAX }
  const rich = htmlText(html.slice(0, BODY_LENGTH_MAX))
  const richText = tidy(rich.text)
  if (plain !== '' && plain.length >= richText.length * STUB_SHARE) return { text: plain, cut: false }
  return { text: richText, cut: rich.cut || html.length > BODY_LENGTH_MAX }
}

/** Lines end in LF alone, no line in spaces but the one that begins a signature, and never are two empty lines in a row. */
function tidy(text: string): string {
  return withLettersMeant(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(FILLING, '')
    .split('\n')
    .map((line) => (line === '-- ' ? line : line.trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

/** Invisible letters that newsletters fill their preview with, so that nothing else shows there. */
const FILLING = /(?:[\u034f\u00ad\u200b\u200c\u2060\ufeff] *){2,}/g
