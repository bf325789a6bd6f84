import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/**
 * Makes every use of the network throw: connections, listening sockets, requests and name lookups. Loaded before a
 * program (`node --import`), it proves that the program needs none.
 */

const NAMES = /^(lookup|lookupService|resolve\w*|reverse)$/

forbid(globalThis, ['fetch', 'WebSocket', 'EventSource'])
forbid(net, ['connect', 'createConnection'])
forbid(net.Socket.prototype, ['connect'])
forbid(net.Server.prototype, ['listen'])
forbid(tls, ['connect'])
forbid(dgram, ['createSocket'])
forbid(dgram.Socket.prototype, ['bind', 'connect', 'send'])
for (const module of [http, https]) forbid(module, ['request', 'get'])
forbid(http2, ['connect'])
for (const names of [dns, dns.Resolver.prototype, dns.promises, dns.promises.Resolver.prototype]) {
  forbid(
    names,
    Object.getOwnPropertyNames(names).filter((name) => NAMES.test(name))
  )
}
syncBuiltinESMExports()

function forbid(holder: object, names: readonly string[]): void {
  for (const name of names) {
    if (!Reflect.has(holder, name)) continue
    const value = () => {
      throw new Error(`the network is off: ${name}`)
    }
    Object.defineProperty(holder, name, { value, configurable: false, writable: false })
  }
}
