import { html } from 'hono/html'
import type { Markup } from '../docs/inline-code.ts'
import { safeName } from './safe-name.ts'

/** What a page is about, as terms with their names. The names may be from anywhere. */
export function namedFacts(facts: readonly (readonly [term: string, name: string])[]): Markup {
  return html`<dl>
${facts.map(([term, name]) => html`<div><dt>${term}</dt><dd>${safeName(name)}</dd></div>\n`)}</dl>`
}
