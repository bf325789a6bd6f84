import { createHash } from 'node:crypto'
import { SANDBOX_STYLE } from './sandbox-style.ts'

const STYLE_HASH = createHash('sha256').update(SANDBOX_STYLE).digest('base64')

/** `formAction` is where the reply to the page's form may lead to, beside the page's own origin: browsers hold redirects to it. */
export type PageAs = { status: number; formAction?: string }

/** A page that runs no script, is not kept, not framed, and says nothing of itself to others. */
export function pageReply(page: string, { status, formAction }: PageAs): Response {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${formAction === undefined ? "'none'" : `'self' ${formAction}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    // With `no-referrer` a form would be sent with `Origin: null`, and look as if another site had sent it.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin'
  }
  return new Response(page, { status, headers })
}
