import { type Entry, isGroup } from '../command/command.ts'
import { HELP_TOPICS } from '../command/help-topics.ts'
import { isNear } from '../input/is-near.ts'

/** Commands that are told at most. */
const TOLD_MOST = 3

/**
 * Whole commands that a person perhaps meant by words that no command has: a topic of help that is written almost so, or
 * commands of that name within a group. `asked` is the whole command line, `words` what is left of it.
 */
export function suggestCommands(
  asked: readonly string[],
  words: readonly string[],
  entries: readonly Entry[]
): readonly string[] {
  const word = words.find((one) => !one.startsWith('-'))
  if (word === undefined) return []
  const inGroups = entries.flatMap((entry) => (isGroup(entry) ? pathsNamed(entry, word, entry.name) : []))
  if (inGroups.length > 0) return inGroups.slice(0, TOLD_MOST)
  const topic = asked[0] === 'help' ? HELP_TOPICS.find((one) => isNear(word.toLowerCase(), one)) : undefined
  return topic === undefined ? [] : [`memctl help ${topic}`]
}

function pathsNamed(entry: Entry, word: string, path: string): string[] {
  if (!isGroup(entry)) return []
  return entry.entries.flatMap((one) => {
    const there = `${path} ${one.name}`
    return one.name === word ? [`memctl ${there}`] : pathsNamed(one, word, there)
  })
}
