const SECOND_MS = 1000
const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: SECOND_MS }
] as const

/** A length of time in its two largest units: `0.4 s`, `38 s`, `2 min 5 s`, `3 h 12 min`. */
export function durationWords(ms: number): string {
  if (ms < SECOND_MS) return `${(Math.max(0, ms) / SECOND_MS).toFixed(1)} s`
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

/** How far off a time is: `in 3 h 12 min`, `due now` where it has come. Above a minute seconds say nothing. */
export function untilWords(time: string, now: number): string {
  const left = Date.parse(time) - now
  if (!(left > 0)) return 'due now'
  const minute = 60 * SECOND_MS
  return `in ${durationWords(left < minute ? Math.max(SECOND_MS, left) : Math.round(left / minute) * minute)}`
}
