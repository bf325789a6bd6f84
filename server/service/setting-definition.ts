import { isAbsolute, resolve } from 'node:path'
import { isLoopbackName } from './is-loopback-host.ts'

/** One setting of the server: its names, its default, and the parser of its values. */
export type SettingDefinition<Value> = {
  /** Its name in the config file. */
  key: string
  variable: string
  /** The flag of `memctl server start`, if it has one. */
  flag: string | undefined
  about: string
  /** The default, as a person would write it; undefined if it depends on other things or there is none. */
  otherwise: string | undefined
  /** Masks a value that must not be shown. */
  mask?: (value: string) => string
  /**
   * Parses a value. Throws a plain Error whose message begins with `expected`; the caller knows the setting and the
   * origin of the value.
   */
  parse(value: string, context: ValueContext): Value
}

/** `folder`: relative paths of the value start there. */
export type ValueContext = { folder: string }

/** Parses a text that is not empty, without space around it. */
export function parseText(value: string): string {
  refuseIf(value.trim() === '', 'expected a text')
  return value.trim()
}

/** Parses a path, and returns it as an absolute one. */
export function parsePath(value: string, { folder }: ValueContext): string {
  refuseIf(value === '', 'expected a path')
  return isAbsolute(value) ? value : resolve(folder, value)
}

/** Parses a port. 0 selects a free one. */
export function parsePort(value: string): number {
  refuseIf(
    !/^\d{1,5}$/.test(value) || Number(value) > PORT_MAX,
    `expected a port from 0 to ${PORT_MAX} (0 selects a free port)`
  )
  return Number(value)
}

/** Parses a duration as milliseconds. */
export function parseDurationMs(value: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value) ?? []
  const size = DURATIONS_MS[unit]
  if (size === undefined || Number(amount) * size > WAIT_MS_MAX)
    throw new Error('expected a duration such as 30s, 10m or 2h, at most 24d')
  return Number(amount) * size
}

/** Creates a parser of durations with limits. */
export function createDurationParser({ least, most }: { least: string; most: string }): (value: string) => number {
  const [from, to] = [parseDurationMs(least), parseDurationMs(most)]
  return (value) => {
    const ms = parseDurationMs(value)
    refuseIf(ms < from || ms > to, `expected a duration from ${least} to ${most}`)
    return ms
  }
}

/** Creates a parser of counts with limits. */
export function createCountParser({ least, most }: { least: number; most: number }): (value: string) => number {
  return (value) => {
    const count = Number(value)
    refuseIf(!/^\d+$/.test(value) || count < least || count > most, `expected a number from ${least} to ${most}`)
    return count
  }
}

/** Parses a size as bytes. */
export function parseSize(value: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,12})(B|KiB|MiB|GiB)$/.exec(value) ?? []
  const bytes = Number(amount) * (SIZES_BYTES[unit] ?? Number.NaN)
  refuseIf(!Number.isSafeInteger(bytes), 'expected a size such as 512KiB, 64MiB or 1GiB')
  return bytes
}

/** Parses a size as bytes. Returns undefined for `off`. */
export function parseSizeOrOff(value: string): number | undefined {
  if (value === 'off') return undefined
  const bytes = /^[1-9]/.test(value) ? parseSize(value) : 0
  refuseIf(bytes === 0, 'expected a size such as 25MiB, or off')
  return bytes
}

/** Parses a rate as requests a minute. Returns undefined for `off`, which means unlimited. */
export function parseRate(value: string): number | undefined {
  if (value === 'off') return undefined
  const [, amount = '', unit = ''] = /^(\d{1,9})\/(s|min|h)$/.exec(value) ?? []
  const times = Number(amount) * (RATES_PER_MINUTE[unit] ?? Number.NaN)
  refuseIf(!(times > 0), 'expected a rate such as 600/min or 10/s, or off')
  return times
}

/** Parses the public address of the server, and returns it without a slash at the end. */
export function parsePublicUrl(value: string): string {
  refuseIf(!URL.canParse(value), 'expected an http or https address')
  const { protocol, username, password, search, hash, href } = new URL(value)
  refuseIf(!/^https?:$/.test(protocol), 'expected an http or https address')
  refuseIf(username !== '' || password !== '', 'expected an address without a user name or password')
  refuseIf(search !== '' || hash !== '', 'expected an address without a query or fragment')
  return href.replace(/\/+$/, '')
}

/** Parses one word for headers and forms: a client id, a secret. */
export function parseToken(value: string): string {
  refuseIf(!/^[\x21-\x7e]{1,4096}$/.test(value.trim()), 'expected one word of printable ASCII characters')
  return value.trim()
}

/** Parses an address of a provider. Requests to it carry secrets, so it uses https or is on this machine. */
export function parseWebAddress(value: string): string {
  refuseIf(!URL.canParse(value), 'expected an http or https address')
  const { protocol, hostname, username, password, hash, href } = new URL(value)
  refuseIf(!/^https?:$/.test(protocol), 'expected an http or https address')
  refuseIf(username !== '' || password !== '', 'expected an address without a user name or password')
  refuseIf(hash !== '', 'expected an address without a fragment (#…)')
  refuseIf(
    protocol === 'http:' && !isLoopbackName(hostname),
    'expected an https address; http is allowed only for this machine'
  )
  return href.replace(/\/+$/, '')
}

/** Parses an address of a provider to which paths are appended. */
export function parseBaseAddress(value: string): string {
  const address = parseWebAddress(value)
  refuseIf(new URL(address).search !== '', 'expected an address without a query')
  return address
}

/** Parses the address of a PostgreSQL database. */
export function parseDatabaseUrl(value: string): string {
  refuseIf(
    !URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol),
    'expected an address such as postgres://…'
  )
  return value
}

/** Masks the password in an address. */
export function maskPassword(value: string): string {
  const url = new URL(value)
  if (url.password !== '') url.password = 'secret'
  for (const name of [...url.searchParams.keys()])
    if (/pass|secret|key/i.test(name)) url.searchParams.set(name, 'secret')
  return url.href
}

/** Creates a parser of a few words. */
export function createWordParser<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((one) => one === value)
    if (word === undefined) throw new Error(`expected one of ${words.join(', ')}`)
    return word
  }
}

/** Throws if a value is invalid. `why` is the message. */
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
