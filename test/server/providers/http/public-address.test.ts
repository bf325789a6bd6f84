import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, mayBePublicHost } from '../../../../server/providers/http/is-public-address.ts'
import { HOSTILE_HOSTS, HOSTILE_IPS, PUBLIC_IPS } from './hostile-addresses.ts'

test.each(HOSTILE_IPS)('classifies the address %j as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(PUBLIC_IPS)('classifies the address %j as public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(HOSTILE_HOSTS)('classifies the host %j as not public, or as invalid', (host) => {
  const written = `https://${host}/`
  expect(URL.canParse(written) && mayBePublicHost(new URL(written).hostname)).toBe(false)
})

test.each(['example.com', 'example.com.', 'doc-0c-content.googleusercontent.example.org', '1.1.1.1', '[2606:4700::1]'])(
  'classifies the host %j as possibly public',
  (host) => {
    expect(mayBePublicHost(new URL(`https://${host}/`).hostname)).toBe(true)
  }
)

test('classifies an IPv4 address alike in any notation', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  fc.assert(
    fc.property(octets, ([a, b, c, d]) => {
      const plain = `${a}.${b}.${c}.${d}`
      const whole = ((a * 256 + b) * 256 + c) * 256 + d
      const ways = [
        plain,
        String(whole),
        `0x${whole.toString(16)}`,
        `${a}.${b}.${c * 256 + d}`,
        `0${a.toString(8)}.${b}.${c}.${d}`
      ]
      const judged = ways.map((way) => mayBePublicHost(new URL(`https://${way}/`).hostname))
      expect(judged).toEqual(ways.map(() => isPublicAddress(plain)))
      expect(isPublicAddress(`::ffff:${plain}`)).toBe(false)
    })
  )
})
