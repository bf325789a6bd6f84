import type { OptionRow } from '../input/command-line.ts'

/** Flags that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: '--json', about: 'answer in JSON: an array for a list, an object for one' },
  { flags: '--jsonl', about: 'answer in JSON Lines, one value or event a line' },
  { flags: '--fields <names>', about: 'only these fields, with commas between' },
  { flags: '--header', about: 'begin tab-separated output with the names of its columns' },
  { flags: '--snapshot <file>', about: 'the snapshot file to use' },
  { flags: '--server <address>', about: 'the server to use' },
  { flags: '--no-input', about: 'never ask: fail where an answer is needed' },
  { flags: '-y, --yes', about: 'answer questions with yes' },
  { flags: '--no-pager', about: 'print long output directly instead of through $PAGER' },
  { flags: '--no-color', about: 'no colours' },
  { flags: '-v, --verbose', about: 'say more on stderr' },
  { flags: '--debug', about: 'show where in the program a failure came from' }
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

/** What the parsed flags say. */
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

/** Whether a flag stands among the words, even when they cannot be parsed: failures must be told in the right form. */
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
