import { html } from 'hono/html'
import type { Markup } from './inline-code.ts'

/** What is shown of a name that somebody else made up, in letters. */
const NAME_LENGTH_MAX = 120

/** A name from elsewhere as a piece of a page: one line, cut, set apart from the direction of the words around it. */
export function safeName(name: string): Markup {
  return html`<bdi>${plainLine(name, NAME_LENGTH_MAX)}</bdi>`
}

/**
 * A text from elsewhere as one line of at most `lengthMax` letters, without what is not seen: control characters, marks that turn
 * the direction of what follows, letters of no width, halves of surrogate pairs.
 */
export function plainLine(text: string, lengthMax: number): string {
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
