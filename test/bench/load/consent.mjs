import { callService } from './service.mjs'

/**
 * Begins a consent and gives it in the sandbox as a browser would: page, form, redirect to the callback. Returns the
 * connection's id.
 */
export async function connectInSandbox(server, { provider, collectionId, account = 0, config }) {
  const body = { collection_id: collectionId, ...(config && { config }) }
  const begun = await callService(server, { path: `/v1/connectors/${provider}/connect`, body })
  await consent(begun.auth_url, account)
  const path = `/v1/connectors/attempts?state=${encodeURIComponent(begun.state)}`
  const attempt = await callService(server, { method: 'GET', path })
  if (attempt.status !== 'completed') throw new Error(`the consent is ${attempt.status}: ${attempt.detail}`)
  return attempt.connection_id
}

async function consent(address, account) {
  const back = await fetch(await consentTo(address, { account }))
  await back.arrayBuffer()
  if (!back.ok) throw new Error(`the callback answered ${back.status}`)
}

/** Consents as the nth account of the page at a URL. Returns the URL that a browser would be redirected to. */
export async function consentTo(address, { account }) {
  const page = await fetch(address)
  const form = formOf(await page.text(), account)
  const sent = await fetch(new URL(form.action, address), {
    method: 'POST',
    body: new URLSearchParams({ ...form.fields, decision: 'approve' }),
    redirect: 'manual'
  })
  await sent.arrayBuffer()
  return new URL(sent.headers.get('location') ?? '', sent.url).href
}

/** Reads the only form of a consent page with the nth account. */
function formOf(html, account) {
  const [, action = ''] = /<form[^>]*\baction="([^"]*)"/.exec(html) ?? []
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => ({
    type: attribute(tag, 'type'),
    name: attribute(tag, 'name'),
    value: attribute(tag, 'value')
  }))
  const hidden = inputs.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value])
  const accounts = inputs.filter(({ name }) => name === 'account')
  return { action: plain(action), fields: { ...Object.fromEntries(hidden), account: accounts[account]?.value ?? '' } }
}

function attribute(tag, name) {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function plain(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
