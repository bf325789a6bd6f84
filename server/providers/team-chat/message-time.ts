/**
 * Slack's `ts`: seconds, a point and six digits, the identity of a message within its channel
 * (https://docs.slack.dev/reference/events/message). All have one length until the year 2286, so text order is time order.
 */
export const MESSAGE_TIME = /^\d{10}\.\d{6}$/

export const FIRST_TIME = '0000000000.000000'
export const LAST_TIME = '9999999999.999999'

/** Of milliseconds since 1970. */
export function messageTime(ms: number): string {
  return fromMicros(BigInt(Math.max(0, Math.floor(ms))) * 1000n)
}

/** Milliseconds since 1970, rounded down. */
export function msOf(time: string): number {
  return Number(micros(time) / 1000n)
}

/** The moment right after. */
export function justAfter(time: string): string {
  return fromMicros(micros(time) + 1n)
}

/** The moment right before. */
export function justBefore(time: string): string {
  return fromMicros(micros(time) - 1n)
}

/** Microseconds from one to the other. */
export function microsBetween(from: string, to: string): number {
  return Number(micros(to) - micros(from))
}

function micros(time: string): bigint {
  return BigInt(time.replace('.', ''))
}

function fromMicros(value: bigint): string {
  const within = value < 0n ? 0n : value > MICROS_MAX ? MICROS_MAX : value
  const digits = within.toString().padStart(16, '0')
  return `${digits.slice(0, 10)}.${digits.slice(10)}`
}

const MICROS_MAX = BigInt(LAST_TIME.replace('.', ''))
