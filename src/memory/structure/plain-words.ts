/** A stretch of a text as a person reads it: no marks of markdown or quotation around it, single spaces. */
export function plainWords(words: string): string {
  const flat = words
    .replace(/\[([^[\]\n]{1,200})\]\([^()\s]{1,400}\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/""/g, '"')
    .replace(/\\([|*_`])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return withoutQuotes(flat)
}

function withoutQuotes(words: string): string {
  const closing = PAIRS.get(words.charAt(0))
  if (closing === undefined || words.length < 3 || !words.endsWith(closing)) return words
  const inner = words.slice(1, -1)
  return inner.includes(closing) || inner.includes(words.charAt(0)) ? words : inner.trim()
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['*', '*'],
  ['_', '_'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」']
])
