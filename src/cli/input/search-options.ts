import { Fault } from '../../contract/faults.ts'
import { GROUPS, type Group, LIMIT_DEFAULT, LIMIT_MAX } from '../../contract/groups.ts'
import type { SearchOptions } from '../../device/device.ts'
import { type CommandLine, integerOption, type OptionRow, textOption, textsOption } from './command-line.ts'
import { parseTime } from './parse-time.ts'

/** How a search is narrowed, on the device and on a server alike. */
export const SEARCH_OPTIONS: readonly OptionRow[] = [
  { flags: '--limit <n>', about: `entries per group, at most ${LIMIT_MAX}; ${LIMIT_DEFAULT} by default` },
  { flags: '--group <names>', about: `only these groups: ${GROUPS.join(', ')}`, repeat: true },
  {
    flags: '--as-of <time>',
    about: 'search as of this time, ignoring later memories: ISO 8601, or 30d for 30 days ago'
  },
  { flags: '--explain', about: 'say of each entry why it is where it is' }
]

/** What they say; a time is left as it was written. Throws a usage fault. */
export function searchOptions(options: CommandLine['options']): SearchOptions {
  const groups = textsOption(options, 'group').flatMap((text) => text.split(',').map(parseGroup))
  return {
    limit: integerOption(options, 'limit', { least: 1, most: LIMIT_MAX }),
    groups: groups.length > 0 ? groups : undefined,
    as_of: textOption(options, 'asOf'),
    explain: options.explain === true
  }
}

/** The same with the time as the wire has it. */
export function withTime(options: SearchOptions, nowMs: number): SearchOptions {
  const { as_of } = options
  return as_of === undefined ? options : { ...options, as_of: parseTime(as_of, '--as-of', nowMs) }
}

function parseGroup(name: string): Group {
  const group = GROUPS.find((one) => one === name.trim())
  if (group !== undefined) return group
  throw new Fault('usage', `--group '${name}' is no group`, { hint: `groups are: ${GROUPS.join(', ')}` })
}
