/** Shortens an id for people: long enough to be unique in a usual file, and accepted by commands. */
export function shortId(id: string): string {
  return id.slice(0, 'mem_'.length + 8)
}

/**
 * Shortens the id of a collection, key, connection or sync to its beginning, which contains its time. The result
 * distinguishes usual ids and is accepted by commands.
 */
export function shortGuid(id: string): string {
  return id.slice(0, '018f3a5b-7c9d'.length)
}

/** Formats a time to the minute, in UTC. */
export function shortTime(time: string | null | undefined): string {
  if (time === null || time === undefined) return ''
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : time
}

/** Formats bytes in the largest unit in which they are at least one. */
export function shortBytes(bytes: number): string {
  const unit = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = bytes < 1 ? 0 : Math.min(unit.length - 1, Math.floor(Math.log2(bytes) / 10))
  const size = bytes / 1024 ** step
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${unit[step]}`
}

/** Formats a number with its noun: `1 memory`, `2 memories`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** Quotes a word for the shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
