/**
 * A time's text (`2026-01-02T03:04:05.000Z`) as one number that sorts as the text does: its fields in mixed radix, without
 * a calendar. -1 where the bytes are no such time.
 */
export function timeKey(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 26) return -1
  const field = (at: number, digits: number): number => {
    let value = 0
    for (let i = 0; i < digits; i++) {
      const digit = (bytes[start + 1 + at + i] as number) - 0x30
      if (digit < 0 || digit > 9) return Number.NaN
      value = value * 10 + digit
    }
    return value
  }
  const minutes = (((field(0, 4) * 13 + field(5, 2)) * 32 + field(8, 2)) * 24 + field(11, 2)) * 60 + field(14, 2)
  const key = (minutes * 60 + field(17, 2)) * 1000 + field(20, 3)
  return Number.isNaN(key) ? -1 : key
}
