import { TOPICS } from './commands/help/topics.ts'

/** `help`, alone or with the words of a command, is that command with `--help`; `help` with a topic stays as it is. */
export function helpWords(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  const [first, ...rest] = argv
  if (first !== 'help') return argv
  const named = rest.filter((word) => !word.startsWith('-'))
  return named.length > 0 && TOPICS.some((topic) => topic === named[0]) ? argv : [...named, '--help']
}
