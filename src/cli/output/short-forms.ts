/** Shortens an id for people: long enough to be unique in a usual file, and accepted by commands. */
export function shortId(id: string): string {
  return id.slice(0, 'mem_'.length + 8)
}

/** Minimum number of characters by which a part of an id is accepted. */
const ID_PART_LEAST = 6

/** Reports whether lower-case text can be a part of the id of a collection, connection, key or run. */
export function isIdPart(text: string): boolean {
  return text.length >= ID_PART_LEAST && /^[0-9a-f-]+$/.test(text)
}

/**
 * Returns a function that shortens the ids of some collections, connections, keys or runs to the shortest end of at least 6
 * characters that is unique among them. The beginning of an id is its time, which is the same for hours.
 */
export function shortGuids(things: Iterable<{ id: string }>): (id: string) => string {
  const ids = [...new Set([...things].map(({ id }) => id))]
  const backwards = ids.map((id) => [...id].reverse().join('')).toSorted()
  const lengths = backwards.map((text, at) => {
    const shared = [backwards[at - 1], backwards[at + 1]].map((other) => countShared(text, other ?? ''))
    return Math.max(ID_PART_LEAST, Math.max(...shared) + 1)
  })
  const short = new Map(backwards.map((text, at) => [text, cutEnd(text, lengths[at] ?? text.length)]))
  return (id) => short.get([...id].reverse().join('')) ?? id
}

/** Returns the end of an id that is given backwards. It does not start with `-`, because it would look like a flag. */
function cutEnd(backwards: string, length: number): string {
  const letters = [...backwards].slice(0, backwards[length - 1] === '-' ? length + 1 : length)
  return letters.reverse().join('')
}

function countShared(text: string, other: string): number {
  let length = 0
  while (length < text.length && text[length] === other[length]) length++
  return length
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
