import { createHash } from 'node:crypto'

/** On every reply. None of them is framed, sniffed, kept or read by other sites; no CORS header is ever sent. */
const ALWAYS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Puts the headers on a reply that keep a browser from doing anything with it but showing it. */
export function addSecurityHeaders(headers: Headers, pageStyle: string): void {
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value)
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  headers.set('content-security-policy', isPage ? `${NOTHING}; style-src '${hashSource(pageStyle)}'` : NOTHING)
  if (isPage) headers.set('cross-origin-opener-policy', 'same-origin')
}

const hashes = new Map<string, string>()

/** How a policy names the one style that a page may have. */
function hashSource(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const made = `sha256-${createHash('sha256').update(text).digest('base64')}`
  hashes.set(text, made)
  return made
}
