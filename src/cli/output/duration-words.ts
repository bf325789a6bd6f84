const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: MINUTE_MS },
  { name: 's', ms: SECOND_MS }
] as const

/** Formats a duration in its two largest units: `40 ms`, `38 s`, `2 min 5 s`, `3 h 12 min`. */
export function durationWords(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.floor(ms))} ms`
  const first = UNITS.findIndex((unit) => ms >= unit.ms)
  const units = UNITS.slice(first, first + 2)
  let left = ms
  const parts = units.map((unit) => {
    const count = Math.floor(left / unit.ms)
    left -= count * unit.ms
    return { count, text: `${count} ${unit.name}` }
  })
  return parts
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ')
}

/** Formats the time until `time`: `in 3 h 12 min`, or `due now` if it has passed. Omits seconds above two minutes. */
export function untilWords(time: string, now: number): string {
  const left = Date.parse(time) - now
  if (!(left > 0)) return 'due now'
  const step = left < 2 * MINUTE_MS ? SECOND_MS : MINUTE_MS
  return `in ${durationWords(Math.max(step, Math.round(left / step) * step))}`
}
