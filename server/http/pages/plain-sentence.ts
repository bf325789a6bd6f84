import { html } from 'hono/html'
import type { Markup } from './inline-code.ts'
import { plainLine } from './safe-name.ts'

/** What is shown of a sentence that others had a part in, in letters. */
const SENTENCE_LENGTH_MAX = 600

/** A sentence as our messages are, small at its beginning and without an end, as a paragraph. A provider may have had a word in it. */
export function plainSentence(text: string): Markup {
  const line = plainLine(text, SENTENCE_LENGTH_MAX)
  const ended = /[.!?…]$/.test(line) ? line : `${line}.`
  return html`<p><bdi>${ended.charAt(0).toUpperCase()}${ended.slice(1)}</bdi></p>`
}
