import type { Clock, Ids } from '../../../src/ports.ts'

/**
 * Creates an id: a UUIDv7 (RFC 9562). Its first 48 bits are the time in milliseconds, so ids sort roughly by creation
 * time. The other 74 bits are random, so ids of one millisecond have no order.
 */
export function uuidV7({ clock, ids }: { clock: Pick<Clock, 'now'>; ids: Ids }): string {
  const time = Math.max(0, Math.trunc(clock.now())).toString(16).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS)
  const random = ids.randomHex(RANDOM_BYTES)
  const variant = (0x8 | (Number.parseInt(random.slice(3, 4), 16) & 0x3)).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `${variant}${random.slice(4, 7)}`,
    random.slice(7, 19)
  ].join('-')
}

const TIME_DIGITS = 12
const RANDOM_BYTES = 10
