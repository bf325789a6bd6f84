import { isAbsolute, resolve } from 'node:path'
import { isLoopbackName } from './loopback-host.ts'

/**
 * How the values of the server's settings are read. Each throws a plain Error with half a sentence where the value will not
 * do: who called knows which setting it is and where it came from.
 */

/** Where relative paths of the value start. */
export type ValueContext = { folder: string }

/** Anything but nothing, without space around it. */
export function text(value: string): string {
  refuseIf(value.trim() === '', 'is empty')
  return value.trim()
}

/** An absolute path. */
export function path(value: string, { folder }: ValueContext): string {
  refuseIf(value === '', 'is empty')
  return isAbsolute(value) ? value : resolve(folder, value)
}

/** A port, 0 for a free one. */
export function port(value: string): number {
  refuseIf(!/^\d{1,5}$/.test(value) || Number(value) > PORT_MAX, `is no port from 0 to ${PORT_MAX}; 0 takes a free one`)
  return Number(value)
}

/** Milliseconds. */
export function duration(value: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value) ?? []
  const size = DURATIONS_MS[unit]
  if (size === undefined || Number(amount) * size > WAIT_MS_MAX)
    throw new Error('is no duration like 30s, 10m or 2h, at most 24d')
  return Number(amount) * size
}

/** A reader of durations that are not shorter or longer than these. */
export function durationWithin({ least, most }: { least: string; most: string }): (value: string) => number {
  const [from, to] = [duration(least), duration(most)]
  return (value) => {
    const ms = duration(value)
    refuseIf(ms < from || ms > to, `is not between ${least} and ${most}`)
    return ms
  }
}

/** A reader of counts. */
export function wholeNumber({ least, most }: { least: number; most: number }): (value: string) => number {
  return (value) => {
    const count = Number(value)
    refuseIf(!/^\d+$/.test(value) || count < least || count > most, `is no number from ${least} to ${most}`)
    return count
  }
}

/** Bytes. */
export function size(value: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,12})(B|KiB|MiB|GiB)$/.exec(value) ?? []
  const bytes = Number(amount) * (SIZES_BYTES[unit] ?? Number.NaN)
  refuseIf(!Number.isSafeInteger(bytes), 'is no size like 512KiB, 64MiB or 1GiB')
  return bytes
}

/** Times a minute; undefined for `off`: as often as anybody likes. */
export function rate(value: string): number | undefined {
  if (value === 'off') return undefined
  const [, amount = '', unit = ''] = /^(\d{1,9})\/(s|min|h)$/.exec(value) ?? []
  const times = Number(amount) * (RATES_PER_MINUTE[unit] ?? Number.NaN)
  refuseIf(!(times > 0), 'is no rate like 600/min or 10/s, and not off')
  return times
}

/** The address under which the server is called from outside, without a slash at the end. */
export function publicUrl(value: string): string {
  refuseIf(!URL.canParse(value), 'is no address')
  const { protocol, username, password, search, hash, href } = new URL(value)
  refuseIf(!/^https?:$/.test(protocol), 'is no http or https address')
  refuseIf(username !== '' || password !== '', 'carries a user name or password')
  refuseIf(search !== '' || hash !== '', 'has something after its path')
  return href.replace(/\/+$/, '')
}

/** One word that goes into headers and forms: a client id, a secret. */
export function token(value: string): string {
  refuseIf(!/^[\x21-\x7e]{1,4096}$/.test(value.trim()), 'is no single word of letters, digits and signs')
  return value.trim()
}

/** An address of a provider. What is sent there is secret, so it goes encrypted or stays on this machine. */
export function webAddress(value: string): string {
  refuseIf(!URL.canParse(value), 'is no address')
  const { protocol, hostname, username, password, hash, href } = new URL(value)
  refuseIf(!/^https?:$/.test(protocol), 'is no http or https address')
  refuseIf(username !== '' || password !== '', 'carries a user name or password')
  refuseIf(hash !== '', 'has a part after #')
  refuseIf(
    protocol === 'http:' && !isLoopbackName(hostname),
    'is not https, which only an address of this machine may be'
  )
  return href.replace(/\/+$/, '')
}

/** The same where paths are appended to it. */
export function baseAddress(value: string): string {
  const address = webAddress(value)
  refuseIf(new URL(address).search !== '', 'has something after its path')
  return address
}

/** The address of a PostgreSQL database. */
export function databaseUrl(value: string): string {
  refuseIf(!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol), 'is no address like postgres://…')
  return value
}

/** An address without the password in it. */
export function withoutPassword(value: string): string {
  const url = new URL(value)
  if (url.password !== '') url.password = 'secret'
  for (const name of [...url.searchParams.keys()])
    if (/pass|secret|key/i.test(name)) url.searchParams.set(name, 'secret')
  return url.href
}

/** A reader of values of which there are a few. */
export function acceptOneOf<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((one) => one === value)
    if (word === undefined) throw new Error(`is none of ${words.join(', ')}`)
    return word
  }
}

/** Refuses a value for a reason: half a sentence. */
export function refuseIf(wrong: boolean, why: string): void {
  if (wrong) throw new Error(why)
}

const PORT_MAX = 65_535
const SECOND_MS = 1000
const DURATIONS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 24 * 3600 * SECOND_MS
}

/** A timer of the platform counts milliseconds in 31 bits. */
const WAIT_MS_MAX = 2 ** 31 - 1
const SIZES_BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const RATES_PER_MINUTE: Readonly<Record<string, number>> = { s: 60, min: 1, h: 1 / 60 }
