/**
 * Returns callbacks with changed contents. None of them uses the state up, because each has another state or another
 * address.
 */
export function madeUpCallbacks(address, random) {
  const made = (change) => {
    const url = new URL(address)
    change(url.searchParams, url)
    return url.href
  }
  const state = new URL(address).searchParams.get('state') ?? ''
  const at = Math.floor(random() * state.length)
  const flipped = `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`
  return [
    ['no state', made((query) => query.delete('state'))],
    ['a flipped character', made((query) => query.set('state', flipped))],
    ['a cut state', made((query) => query.set('state', state.slice(0, at)))],
    ['two states', made((query) => query.append('state', flipped))],
    ['a longer state', made((query) => query.set('state', `${state}A`))],
    ['another provider', made((_, url) => (url.pathname = '/v1/oauth/callback/mailbox'))],
    ['an unknown provider', made((_, url) => (url.pathname = '/v1/oauth/callback/%2e%2e%2fkeys'))],
    ['a state of 100 kB', made((query) => query.set('state', 'A'.repeat(10_000)))],
    ['markup', made((query) => query.set('state', '"><script>alert(1)</script>'))],
    ['control characters', made((query) => query.set('state', '\u0000\u001b[2J\r\nset-cookie: a=b'))]
  ]
}
