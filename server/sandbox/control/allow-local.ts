/** The ways to write this machine's own address, with or without a port. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Whether a request was meant for this machine: a name that was made to lead here (DNS rebinding) is another one. */
export function isForThisMachine({ headers, url }: Request): boolean {
  const named = new URL(url).host
  return LOOPBACK.test(named) && LOOPBACK.test(headers.get('host') ?? named)
}

/**
 * Whether a program of this machine asks, and no page: for a sandbox that runs alone and listens to this machine only.
 * Browsers say `Origin` with whatever changes something, and `Sec-Fetch-Site` always.
 */
export async function allowLocal(request: Request): Promise<boolean> {
  const site = request.headers.get('sec-fetch-site')
  const fromPage = request.headers.has('origin') || (site !== null && site !== 'none')
  return isForThisMachine(request) && !fromPage
}
