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
