import { html, raw } from 'hono/html'
import type { SandboxAccount } from '../core/sandbox-provider.ts'
import { SANDBOX_STYLE } from './sandbox-style.ts'

type ConsentShown = {
  service: string
  /** As phrases that follow `memctl may`. */
  scopes: readonly string[]
  accounts: readonly SandboxAccount[]
  /** Scheme, host and port. */
  returnsTo: string
  action: string
  /** The signed request, which the form returns. */
  request: string
  complaint: string | undefined
}

/** Renders the page on which a user chooses an account and consents: one form without scripts. */
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
<h1>memctl requests access to an account</h1>
<form method="post" action="${action}">
<input type="hidden" name="request" value="${request}">
<fieldset${wrong ? raw(' aria-describedby="complaint"') : ''}>
<legend>Which account?</legend>
${wrong ? html`<p class="complaint" role="alert" id="complaint">${complaint}</p>` : ''}
${accounts.map((account, at) => accountChoice(account, at > 0 ? '' : wrong ? ' autofocus' : ' checked'))}
</fieldset>
${scopes.length === 0 ? html`<p>memctl can read what is shared with it in this account.</p>` : scopeList(scopes)}
<div class="buttons">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny" class="other" formnovalidate>Deny</button>
</div>
</form>
<p class="quiet">Either way, you return to <strong class="address">${returnsTo}</strong>.</p>`
  )
}

/** Renders the choice of an account. The first one is preselected, unless the user returned without a choice. */
function accountChoice({ id, name, email }: SandboxAccount, more: '' | ' autofocus' | ' checked'): Markup {
  const shown = plainText(name)
  return html`<label class="account">
<input type="radio" name="account" value="${id}" required${more}>
<span class="initial" aria-hidden="true">${toInitials(shown)}</span>
<span class="who"><bdi class="name">${shown === '' ? '(no name)' : shown}</bdi> <bdi class="email">${plainText(email)}</bdi></span>
</label>
`
}

function toInitials(name: string): string {
  const words = name.split(' ').filter((word) => /^\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '').join('')
}

function scopeList(scopes: readonly string[]): Markup {
  return html`<section aria-labelledby="scopes"><h2 id="scopes">memctl will be able to</h2>
<ul>${scopes.map((scope) => html`<li>${plainText(scope)}</li>`)}</ul></section>`
}

const TEXT_LENGTH_MAX = 200

/** Invisible characters, and those that change the direction of the following text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Returns an untrusted name for display: on one line, of limited length, without characters that affect the surrounding
 * text.
 */
function plainText(text: string): string {
  const seen = text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  const letters = [...seen.slice(0, 2 * TEXT_LENGTH_MAX)]
  return letters.length > TEXT_LENGTH_MAX ? `${letters.slice(0, TEXT_LENGTH_MAX - 1).join('')}…` : seen
}

/** Renders an error page for a link or an answer from which the user cannot be redirected. */
export function flawPage(service: string, flaw: string): string {
  return pageFrame(
    `Invalid request: ${service}`,
    html`<p class="service">${service}</p>
<h1>Invalid request</h1>
<p role="alert">${flaw}</p>
<p class="quiet">No access was granted. Go back to the terminal or program where you started, and start again.</p>`
  )
}

type Markup = ReturnType<typeof html>

/** Renders a complete page of the sandbox. */
function pageFrame(title: string, content: Markup): string {
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
<header><strong>Sandbox.</strong> The accounts here are samples. Nothing is real.</header>
<main>
${content}
</main>
</body>
</html>
`
  return String(page)
}
