import { html } from 'hono/html'
import type { Markup } from '../docs/inline-code.ts'

/** A time as a piece of a page, as in `14:05 UTC` or `2026-05-01, 14:05 UTC`: without a script, nobody's own zone is known. */
export function pageTime(ms: number, shown: 'clock' | 'date'): Markup {
  const time = new Date(ms).toISOString()
  const day = shown === 'date' ? `${time.slice(0, 10)}, ` : ''
  return html`<time datetime="${time}">${day}${time.slice(11, 16)} UTC</time>`
}
