import { html } from 'hono/html'
import { pageFrame } from './page-frame.ts'

/** Says to a person what is wrong with a link or an answer, where nobody can be sent back. */
export function flawPage(service: string, flaw: string): string {
  return pageFrame(
    `This does not work: ${service}`,
    html`<p class="service">${service}</p>
<h1>This does not work</h1>
<p role="alert">${flaw}</p>
<p class="quiet">Nothing was allowed. Go back to the terminal or program where you began, and begin to connect once more.</p>`
  )
}
