/*
 * The secure headers of hono were rejected: they are the same for every reply, while here the policy depends on the
 * type of the reply and on its form.
 */

import { createHash } from 'node:crypto'

/**
 * The headers of every reply. No reply may be framed, sniffed, cached or read by other sites, and CORS headers are
 * never sent.
 */
const ALWAYS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

const NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** With `hasForm`, the reply is a page with a form, which is sent to the origin of the page. */
export type PageRules = { styles: readonly string[]; hasForm: boolean }

/** Adds the headers that restrict a browser to showing a reply and sending its form. */
export function addSecurityHeaders(headers: Headers, { styles, hasForm }: PageRules): void {
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value)
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  const forms = `form-action '${isPage && hasForm ? 'self' : 'none'}'`
  const sources = styles.map((style) => `'${hashSource(style)}'`).join(' ')
  headers.set('content-security-policy', `${NOTHING}; ${forms}${isPage ? `; style-src ${sources}` : ''}`)
  if (!isPage) return
  headers.set('cross-origin-opener-policy', 'same-origin')
  // Under `no-referrer` a browser sends `Origin: null` with a form, as pages of other sites also can (Fetch, "append a
  // request `Origin` header"). With `strict-origin` it sends the origin and nothing more.
  if (hasForm) headers.set('referrer-policy', 'strict-origin')
}

const hashes = new Map<string, string>()

/** Returns the hash by which the policy names an allowed style. */
function hashSource(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const made = `sha256-${createHash('sha256').update(text).digest('base64')}`
  hashes.set(text, made)
  return made
}
