import { Buffer } from 'node:buffer'
import { html } from 'hono/html'
import { FAULTS, type Fault } from '../../../src/contract/faults.ts'
import { problemReply } from '../reply/problem-reply.ts'
import { plainSentence } from './markup.ts'
import { renderCardPage } from './render-card-page.ts'

/** The next steps for faults without a hint. */
const AGAIN = 'reload this page in a moment'
const ELSEWHERE = 'go back to the terminal or program where you started, and start again'

/** Returns whether a browser requests a page. */
export function wantsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') ?? false
}

/** Renders a fault as a page, with the same status and headers that a program gets. */
export function renderProblemPage(fault: Fault, requestId: string): Response {
  const { status, headers } = problemReply(fault, requestId)
  const { message, hint, code } = fault
  const page = renderCardPage({
    title: 'The request failed',
    heading: 'The request failed',
    mood: 'bad',
    body: [
      plainSentence(message),
      plainSentence(hint ?? (FAULTS[code].retryable ? AGAIN : ELSEWHERE)),
      html`<p class="quiet">The server's log has details under the request id <code>${requestId}</code>.</p>`
    ]
  })
  const bytes = Buffer.from(page)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-length', String(bytes.length))
  return new Response(bytes, { status, headers })
}
