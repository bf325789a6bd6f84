import type { OptionRow } from '../input/command-line.ts'

/** Flags of every command, which can stand before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: '--json', about: 'print JSON: an array for a list, an object for a single result' },
  { flags: '--jsonl', about: 'print JSON Lines: one value or event per line' },
  { flags: '--fields <names>', about: 'only these fields, separated by commas' },
  { flags: '--header', about: 'start tab-separated output with the column names' },
  { flags: '--snapshot <file>', about: 'snapshot file to use' },
  { flags: '--server <address>', about: 'address of the server to use' },
  { flags: '--no-input', about: 'disable prompts; fail if an answer is needed' },
  { flags: '-y, --yes', about: 'answer yes to questions' },
  { flags: '--no-pager', about: 'print long output directly instead of through $PAGER' },
  { flags: '--no-color', about: 'disable colors' },
  { flags: '-v, --verbose', about: 'print more diagnostics on stderr' },
  { flags: '--debug', about: 'print the stack trace of a failure' }
]

export type GlobalFlags = {
  json: boolean
  jsonl: boolean
  fields: readonly string[] | undefined
  header: boolean
  snapshot: string | undefined
  server: string | undefined
  input: boolean
  yes: boolean
  color: boolean
  verbose: boolean
  debug: boolean
}

/** Returns the global flags of parsed options. */
export function globalFlags(options: Readonly<Record<string, unknown>>): GlobalFlags {
  return {
    json: options.json === true,
    jsonl: options.jsonl === true,
    fields: typeof options.fields === 'string' ? splitNames(options.fields) : undefined,
    header: options.header === true,
    snapshot: typeof options.snapshot === 'string' ? options.snapshot : undefined,
    server: typeof options.server === 'string' ? options.server : undefined,
    input: options.input !== false,
    yes: options.yes === true,
    color: options.color !== false,
    verbose: options.verbose === true,
    debug: options.debug === true
  }
}

/** Reports whether a flag is given, even if the command line cannot be parsed: its errors need the right format too. */
export function hasFlag(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.some((word, index) => (end < 0 || index < end) && flags.includes(word))
}

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
