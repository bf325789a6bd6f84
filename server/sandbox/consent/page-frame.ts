import { html, raw } from 'hono/html'
import { SANDBOX_STYLE } from './sandbox-style.ts'

export type Markup = ReturnType<typeof html>

/** A whole page of the sandbox. */
export function pageFrame(title: string, content: Markup): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(SANDBOX_STYLE)}</style>
</head>
<body>
<header><strong>Sandbox.</strong> A stand-in with made-up accounts. Nothing here is real.</header>
<main>
${content}
</main>
</body>
</html>
`
  return String(page)
}
