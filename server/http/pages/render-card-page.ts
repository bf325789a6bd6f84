import { html, raw } from 'hono/html'
import { CARD_STYLE } from './card-style.ts'
import type { Markup } from './markup.ts'

/** A page with one message. `mood` sets the colour of its mark and the role that screen readers use. */
export type Card = {
  /** The result, shown in the title bar of the window. It contains no name except that of a service. */
  title: string
  heading: Markup | string
  mood: Mood
  body: readonly Markup[]
}

export type Mood = 'good' | 'bad' | 'warn' | 'calm' | 'ask'

/** Renders the page as text, without external resources and scripts. */
export function renderCardPage({ title, heading, mood, body }: Card): string {
  const role = mood === 'bad' || mood === 'warn' ? 'alert' : 'status'
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · memctl</title>
<style>${raw(CARD_STYLE)}</style>
</head>
<body>
<header>memctl</header>
<main>
${mark(mood)}
<div role="${role}"><h1>${heading}</h1></div>
${body}
</main>
</body>
</html>
`
  return String(page)
}

/** Renders a decorative image. The heading has the same meaning. */
function mark(mood: Mood): Markup {
  return html`<svg class="mark ${mood}" viewBox="0 0 44 44" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="22" cy="22" r="20"/><path d="${STROKES[mood]}"/></svg>`
}

const STROKES: Readonly<Record<Mood, string>> = {
  good: 'M13 23l6 6 12-13',
  bad: 'M15 15l14 14M29 15L15 29',
  warn: 'M22 12v13M22 31v.5',
  calm: 'M13 22h18',
  ask: 'M16.5 17.5a5.5 5.5 0 1 1 8 5c-1.7.9-2.5 2-2.5 3.8M22 32v.5'
}
