import { html } from 'hono/html'
import type { Markup } from '../docs/inline-code.ts'

/** Commands to run, each of which a click marks as a whole. Long ones are broken: nothing has to be scrolled. */
export function commandBlock(commands: readonly string[]): Markup {
  return html`<pre>${commands.map((command) => html`<code>${command}</code>`)}</pre>`
}
