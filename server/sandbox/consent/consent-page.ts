import { html, raw } from 'hono/html'
import type { StandInAccount } from '../stand-in.ts'
import { type Markup, pageFrame } from './page-frame.ts'
import { plainText } from './plain-text.ts'

export type ConsentShown = {
  service: string
  /** In words that follow `memctl may`. */
  scopes: readonly string[]
  accounts: readonly StandInAccount[]
  /** Scheme, host and port. */
  returnsTo: string
  action: string
  /** The signed question, which comes back with the answer. */
  request: string
  complaint: string | undefined
}

/** The page on which a person chooses an account and consents. One form, without scripts. */
export function consentPage({
  service,
  scopes,
  accounts,
  returnsTo,
  action,
  request,
  complaint
}: ConsentShown): string {
  const wrong = complaint !== undefined
  return pageFrame(
    `${wrong ? `${complaint} ` : ''}Allow memctl? ${service}`,
    html`<p class="service">${service}</p>
<h1>memctl asks to read an account</h1>
<form method="post" action="${action}">
<input type="hidden" name="request" value="${request}">
<fieldset${wrong ? raw(' aria-describedby="complaint"') : ''}>
<legend>Which account?</legend>
${wrong ? html`<p class="complaint" role="alert" id="complaint">${complaint}</p>` : ''}
${accounts.map((account, at) => accountChoice(account, at > 0 ? '' : wrong ? ' autofocus' : ' checked'))}
</fieldset>
${scopes.length === 0 ? html`<p>memctl may read what is shared with it in this account.</p>` : scopeList(scopes)}
<div class="buttons">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny" class="other" formnovalidate>Deny</button>
</div>
</form>
<p class="quiet">Either way you go on to <strong class="address">${returnsTo}</strong>.</p>`
  )
}

/** The first one is chosen already, but for a person who came back because none was. */
function accountChoice({ id, name, email }: StandInAccount, more: '' | ' autofocus' | ' checked'): Markup {
  const shown = plainText(name)
  return html`<label class="account">
<input type="radio" name="account" value="${id}" required${more}>
<span class="initial" aria-hidden="true">${initialsOf(shown)}</span>
<span class="who"><bdi class="name">${shown === '' ? '(no name)' : shown}</bdi> <bdi class="email">${plainText(email)}</bdi></span>
</label>
`
}

function initialsOf(name: string): string {
  const words = name.split(' ').filter((word) => /^\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '').join('')
}

function scopeList(scopes: readonly string[]): Markup {
  return html`<section aria-labelledby="scopes"><h2 id="scopes">memctl may</h2>
<ul>${scopes.map((scope) => html`<li>${plainText(scope)}</li>`)}</ul></section>`
}
