import { html } from 'hono/html'

/** A piece of a page: escaped, ready to stand in another. */
export type Markup = ReturnType<typeof html>

/** Prose in which `words` between backticks are code. */
export function inlineCode(text: string): Markup[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

/** Prose in paragraphs. */
export function paragraphs(text: string): Markup[] {
  return text.split('\n\n').map((one) => html`<p>${inlineCode(one)}</p>`)
}

/** What is shown of a name that somebody else made up, in letters. */
const NAME_LENGTH_MAX = 120

/** A name from elsewhere as a piece of a page: one line, cut, set apart from the direction of the words around it. */
export function safeName(name: string): Markup {
  return html`<bdi>${toPlainLine(name, NAME_LENGTH_MAX)}</bdi>`
}

/**
 * A text from elsewhere as one line of at most `lengthMax` letters, without what is not seen: control characters, marks that turn
 * the direction of what follows, letters of no width, halves of surrogate pairs.
 */
export function toPlainLine(text: string, lengthMax: number): string {
  // A letter may be several code units; nothing beyond a multiple of the limit can be shown.
  const line = text
    .slice(0, lengthMax * UNITS_A_LETTER_MAX)
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(/\p{Cc}|\s/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const letters = [...line]
  if (line === '') return '(no name)'
  return letters.length <= lengthMax && text.length <= lengthMax * UNITS_A_LETTER_MAX
    ? line
    : `${letters.slice(0, lengthMax).join('')}…`
}

const UNITS_A_LETTER_MAX = 8

/** Format characters (bidirectional controls, joiners, tags), private ones, and combining marks after the third in a row. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]|(?<=\p{M}{3})\p{M}/gu

/** What is shown of a sentence that others had a part in, in letters. */
const SENTENCE_LENGTH_MAX = 600

/** A sentence as our messages are, small at its beginning and without an end, as a paragraph. A provider may have had a word in it. */
export function plainSentence(text: string): Markup {
  const line = toPlainLine(text, SENTENCE_LENGTH_MAX)
  const ended = /[.!?…]$/.test(line) ? line : `${line}.`
  return html`<p><bdi>${ended.charAt(0).toUpperCase()}${ended.slice(1)}</bdi></p>`
}
