import { html } from 'hono/html'

/** A part of a page: escaped and ready to be inserted into another. */
export type Markup = ReturnType<typeof html>

/** Renders prose in which text between backticks is code. */
export function inlineCode(text: string): Markup[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

/** Renders prose in paragraphs. */
export function paragraphs(text: string): Markup[] {
  return text.split('\n\n').map((one) => html`<p>${inlineCode(one)}</p>`)
}

/** The longest external name that is shown, in letters. */
const NAME_LENGTH_MAX = 120

/** Renders an untrusted name as one shortened line whose text direction does not affect its surroundings. */
export function safeName(name: string): Markup {
  return html`<bdi>${toPlainLine(name, NAME_LENGTH_MAX)}</bdi>`
}

/**
 * Converts untrusted text to one line of at most `lengthMax` letters, without invisible characters: control characters,
 * bidirectional marks, zero-width letters and lone surrogates.
 */
export function toPlainLine(text: string, lengthMax: number): string {
  // A letter may have several code units, but text beyond a multiple of the limit is never shown.
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

/**
 * Format characters (bidirectional controls, joiners, tags), private ones, and combining marks after the third in a
 * row.
 */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]|(?<=\p{M}{3})\p{M}/gu

/** The longest partly external sentence that is shown, in letters. */
const SENTENCE_LENGTH_MAX = 600

/**
 * Renders a message as a paragraph with a capital letter and a full stop. A provider may have contributed to its text.
 */
export function plainSentence(text: string): Markup {
  const line = toPlainLine(text, SENTENCE_LENGTH_MAX)
  const ended = /[.!?…]$/.test(line) ? line : `${line}.`
  return html`<p><bdi>${ended.charAt(0).toUpperCase()}${ended.slice(1)}</bdi></p>`
}
