import { Buffer } from 'node:buffer'
import { html } from 'hono/html'
import { FAULTS, type Fault } from '../../../src/contract/faults.ts'
import { problemReply } from '../reply/problem-reply.ts'
import { renderCardPage } from './card-page.ts'
import { plainSentence } from './markup.ts'

/** What to do where the fault does not say it. */
const AGAIN = 'load this page again in a moment'
const ELSEWHERE = 'go back to the terminal or program where you began, and begin again'

/** Whether it is a browser that asks for something to look at. */
export function wantsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') ?? false
}

/** What a fault looks like to a person who came to a page: the same status and headers as for a program. */
export function renderProblemPage(fault: Fault, requestId: string): Response {
  const { status, headers } = problemReply(fault, requestId)
  const { message, hint, code } = fault
  const page = renderCardPage({
    title: 'This did not work',
    heading: 'This did not work',
    mood: 'bad',
    body: [
      plainSentence(message),
      plainSentence(hint ?? (FAULTS[code].retryable ? AGAIN : ELSEWHERE)),
      html`<p class="quiet">The server's log knows more under <code>${requestId}</code>.</p>`
    ]
  })
  const bytes = Buffer.from(page)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-length', String(bytes.length))
  return new Response(bytes, { status, headers })
}
