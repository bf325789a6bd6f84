/** What `memctl help` explains beside its commands. */
export const HELP_TOPICS: readonly string[] = [
  'exit-codes',
  'environment',
  'formats',
  'offline',
  'ci',
  'sandbox',
  'man'
]
