import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'

/**
 * Does what a person does on the consent page of the sandbox: takes the first account, approves, and goes where that leads. No
 * other server is asked anything.
 */
export async function approveInSandbox(
  { fetch, terminal }: Pick<World, 'fetch' | 'terminal'>,
  authUrl: string
): Promise<void> {
  const signal = terminal.interrupted
  const page = await fetch(new Request(authUrl, { signal }))
  const { action, form } = formOf(await page.text())
  const answered = await fetch(new Request(besideOf(authUrl, action).href, { method: 'POST', body: form, signal }))
  await answered.text()
  const back = await fetch(new Request(besideOf(authUrl, answered.headers.get('location')).href, { signal }))
  await back.text()
  if (!back.ok) throw noConsent(`the server did not take it (${back.status})`)
}

/** The one form of the page, with its first account. */
function formOf(page: string): { action: string | undefined; form: URLSearchParams } {
  const read = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const form = new URLSearchParams({ request: read('request'), account: read('account'), decision: 'approve' })
  return { action: /<form method="post" action="([^"]*)"/.exec(page)?.[1], form }
}

function besideOf(address: string, target: string | null | undefined): URL {
  const base = new URL(address)
  const url =
    target === null || target === undefined || !URL.canParse(target, address) ? undefined : new URL(target, address)
  if (url?.origin === base.origin) return url
  throw noConsent('its page is not the one that was expected')
}

function noConsent(why: string): Fault {
  return new Fault('consent_failed', `the sandbox gave no consent: ${why}`)
}
