/** Reports whether a word has at most two typing errors, or is a prefix of at least three letters. */
export function isNear(word: string, name: string): boolean {
  if (word.length >= 3 && name.startsWith(word)) return true
  return Math.abs(word.length - name.length) <= SLIPS_MAX && slips(word, name) <= Math.min(SLIPS_MAX, name.length - 2)
}

const SLIPS_MAX = 2

/** Returns the Levenshtein distance of two words. */
function slips(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [down, letter] of [...one].entries()) {
    const next = [down + 1]
    for (const [at, against] of [...other].entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === against ? 0 : 1)))
    row = next
  }
  return row[other.length] ?? 0
}
