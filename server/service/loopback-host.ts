/** Whether only this machine reaches an address that is listened to, however it is written. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const written = `http://${bare.includes(':') ? `[${bare}]` : bare}`
  const hostname = URL.canParse(written) ? new URL(written).hostname : ''
  return hostname === 'localhost' || hostname === '[::1]' || /^(127\.|\[::ffff:7f)/.test(hostname)
}
