/** An id as a person needs it: long enough to be unique in any file they will look at, and commands take it so. */
export function shortId(id: string): string {
  return id.slice(0, 'mem_'.length + 8)
}

/** As much of an id of a collection, key, connection or sync as tells them apart, and as commands take: they begin with their time. */
export function shortGuid(id: string): string {
  return id.slice(0, '018f3a5b-7c9d'.length)
}

/** A time to the minute, in UTC. */
export function shortTime(time: string | null | undefined): string {
  if (time === null || time === undefined) return ''
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : time
}

/** Bytes in the largest unit that keeps them above one. */
export function shortBytes(bytes: number): string {
  const unit = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = bytes < 1 ? 0 : Math.min(unit.length - 1, Math.floor(Math.log2(bytes) / 10))
  const size = bytes / 1024 ** step
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${unit[step]}`
}

/** A number with its noun: `1 memory`, `2 memories`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** As a word of a shell command, quoted where the shell would read it otherwise. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
