import { type Entry, isGroup } from './command.ts'
import { TOPICS } from './commands/help/topics.ts'

/** Commands that are told at most. */
const TOLD_MOST = 3

/**
 * Whole commands that a person perhaps meant by words that no command has: a topic of help that is written almost so, or
 * commands of that name within a group. `asked` is the whole command line, `words` what is left of it.
 */
export function perhapsMeant(
  asked: readonly string[],
  words: readonly string[],
  entries: readonly Entry[]
): readonly string[] {
  const word = words.find((one) => !one.startsWith('-'))
  if (word === undefined) return []
  const inGroups = entries.flatMap((entry) => (isGroup(entry) ? pathsNamed(entry, word, entry.name) : []))
  if (inGroups.length > 0) return inGroups.slice(0, TOLD_MOST)
  const topic = asked[0] === 'help' ? TOPICS.find((one) => isNear(word.toLowerCase(), one)) : undefined
  return topic === undefined ? [] : [`memctl help ${topic}`]
}

function pathsNamed(entry: Entry, word: string, path: string): string[] {
  if (!isGroup(entry)) return []
  return entry.entries.flatMap((one) => {
    const there = `${path} ${one.name}`
    return one.name === word ? [`memctl ${there}`] : pathsNamed(one, word, there)
  })
}

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
