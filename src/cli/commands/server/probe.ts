import type { World } from '../../../ports.ts'

/** How long a server may take to say how it is, in milliseconds. */
const PROBE_MS = 3000

/** Whether the server at an address answers, and whether it is ready to serve. Sends no key. */
export async function probe(
  { fetch, clock, terminal }: Pick<World, 'fetch' | 'clock' | 'terminal'>,
  address: string
): Promise<{ health: boolean; ready: boolean }> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, terminal.interrupted])
  void clock.wait(PROBE_MS, signal).then(
    () => over.abort(),
    () => undefined
  )
  try {
    const base = address.replace(/\/+$/, '')
    const [health, ready] = await Promise.all([
      isOk(fetch, new Request(`${base}/healthz`, { signal, redirect: 'manual' })),
      isOk(fetch, new Request(`${base}/readyz`, { signal, redirect: 'manual' }))
    ])
    return { health, ready }
  } finally {
    over.abort()
  }
}

async function isOk(fetch: World['fetch'], request: Request): Promise<boolean> {
  try {
    const response = await fetch(request)
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
