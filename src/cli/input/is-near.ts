/** Whether a word is written with at most two slips, or is a beginning of three letters or more. */
export function isNear(word: string, name: string): boolean {
  if (word.length >= 3 && name.startsWith(word)) return true
  return Math.abs(word.length - name.length) <= SLIPS_MAX && slips(word, name) <= Math.min(SLIPS_MAX, name.length - 2)
}

const SLIPS_MAX = 2

/** Letters to put in, leave out or replace to make one word of the other. */
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
