/** Milliseconds since 1970 of a time as `toTimeKey` makes it; -1 for none. A day that its month lacks counts on. */
export function msOfTimeKey(key: number): number {
  if (key < 0) return -1
  const [rest, ms] = split(key, 1000)
  const [minutes, second] = split(rest, 60)
  const [hours, minute] = split(minutes, 60)
  const [days, hour] = split(hours, 24)
  const [months, day] = split(days, 32)
  const [year, month] = split(months, 13)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, ms)
}

function split(value: number, radix: number): [rest: number, part: number] {
  return [Math.floor(value / radix), value % radix]
}
