/** The topics of `memctl help` besides the commands. */
export const HELP_TOPICS: readonly string[] = [
  'agents',
  'exit-codes',
  'environment',
  'formats',
  'offline',
  'ci',
  'sandbox',
  'man'
]
