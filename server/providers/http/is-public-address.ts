import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Reports whether an address, as the system writes it, is public: not of this machine, a private network, a cloud's
 * metadata service, a multicast group, or a notation for another address. Returns false for text that is not an
 * address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

/**
 * Reports whether a host, as `URL` writes it, may be public. A name is checked again when it is resolved for a
 * connection.
 */
export function mayBePublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIPv4(bare) || isIPv6(bare)) return isPublicAddress(bare)
  return bare.includes('.') && !LOCAL_NAME.test(bare)
}

/** RFC 6761, RFC 6762, RFC 8375, and `.internal`, which ICANN reserves for private use and clouds use for metadata. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/i

/**
 * Addresses that are not globally reachable by the registry
 * https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast.
 */
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

/** The same from https://www.iana.org/assignments/iana-ipv6-special-registry, within the global unicast range. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  // IETF protocol assignments, Teredo among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which embeds an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20]
]

const SPECIAL = new BlockList()
for (const [net, bits] of SPECIAL_IPV4) SPECIAL.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_IPV6) SPECIAL.addSubnet(net, bits, 'ipv6')

/**
 * The global unicast range of IPv6 (RFC 4291 section 2.4). It excludes mapped, NAT64, link-local and site-local
 * addresses.
 */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
