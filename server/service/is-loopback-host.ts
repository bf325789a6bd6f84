/** Whether only this machine can reach a listening address, in any notation. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const written = `http://${bare.includes(':') ? `[${bare}]` : bare}`
  return URL.canParse(written) && isLoopbackName(new URL(written).hostname)
}

/** Whether a host as `URL` writes it is this machine. A DNS name that begins with `127.` is not. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/.test(hostname)
}
