import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an address, as the system writes it, is one of the internet at large: not of this machine, a private network, a
 * cloud's metadata service, a group, or a notation for another address. What is no address is not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

/**
 * Whether a host as `URL` writes it may be one of the internet at large. Of a name that says nothing but where it leads;
 * that is looked at when it is connected to.
 */
export function mayBePublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIPv4(bare) || isIPv6(bare)) return isPublicAddress(bare)
  return bare.includes('.') && !LOCAL_NAME.test(bare)
}

/** RFC 6761, RFC 6762, RFC 8375, and `.internal`, which ICANN keeps for private use and clouds for their metadata. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/i

/** What is not globally reachable by the registry https://www.iana.org/assignments/iana-ipv4-special-registry, and groups. */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4]
]

/** Likewise of https://www.iana.org/assignments/iana-ipv6-special-registry, within what is given to the internet. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  // Of protocols, Teredo among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: an IPv4 address stands in it.
  ['2002::', 16],
  ['3fff::', 20]
]

const SPECIAL = new BlockList()
for (const [net, bits] of SPECIAL_IPV4) SPECIAL.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_IPV6) SPECIAL.addSubnet(net, bits, 'ipv6')

/** All of IPv6 that is given out for the internet (RFC 4291 section 2.4): no mapped addresses, NAT64, local or site-local ones. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
