import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, mayBePublicHost } from '../../../../server/providers/http/is-public-address.ts'
import { HOSTILE_HOSTS, HOSTILE_IPS, PUBLIC_IPS } from './hostile-addresses.ts'

test.each(HOSTILE_IPS)('the address %j is none of the internet at large', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(PUBLIC_IPS)('the address %j is one of the internet at large', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(HOSTILE_HOSTS)('the host %j is no public one, or no host at all', (host) => {
  const written = `https://${host}/`
  expect(URL.canParse(written) && mayBePublicHost(new URL(written).hostname)).toBe(false)
})

test.each(['example.com', 'example.com.', 'doc-0c-content.googleusercontent.example.org', '1.1.1.1', '[2606:4700::1]'])(
  'the host %j may be a public one',
  (host) => {
    expect(mayBePublicHost(new URL(`https://${host}/`).hostname)).toBe(true)
  }
)

test('an IPv4 address is judged alike however it is written', () => {
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
