import { html, raw } from 'hono/html'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import type { Markup } from './inline-code.ts'

/** What each code of a problem means. The `type` of a problem leads to its row. */
export function faultTable(codes: readonly string[]): Markup {
  const known = (Object.keys(FAULTS) as FaultCode[]).filter((code) => codes.includes(code))
  const rows = known.sort((a, b) => FAULTS[a].status - FAULTS[b].status).map(faultRow)
  return html`<div class="wide" tabindex="0" role="region" aria-label="Faults"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Means</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function faultRow(code: FaultCode): Markup {
  const { status, means, retryable } = FAULTS[code]
  return html`<tr id="fault-${code}"><td>${status}</td><th scope="row"><code>${breakable(code)}</code></th><td>${means}${retryable ? '; asking again may help' : ''}</td></tr>
`
}

/** A word that may go on in the next line after each of its parts. */
function breakable(code: string): Markup {
  const parts = code.split('_')
  return html`${parts.map((part, at) => html`${part}${at < parts.length - 1 ? raw('_<wbr>') : ''}`)}`
}
