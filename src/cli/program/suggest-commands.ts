import { type Entry, isGroup } from '../command/command.ts'
import { HELP_TOPICS } from '../command/help-topics.ts'
import { isNear } from '../input/is-near.ts'

/** Maximum number of suggested commands. */
const TOLD_MOST = 3

/**
 * Returns complete commands that the user may have meant by an unknown word: a help topic with a similar name, or commands
 * of that name in a group. `asked` is the whole command line, and `words` is the part that was not recognized.
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
