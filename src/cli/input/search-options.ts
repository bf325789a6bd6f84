import { Fault } from '../../contract/faults.ts'
import { GROUPS, type Group, LIMIT_DEFAULT, LIMIT_MAX, MEMORY_KINDS, type MemoryKind } from '../../contract/groups.ts'
import type { SearchOptions } from '../../device/device.ts'
import { type CommandLine, integerOption, type OptionRow, textOption, textsOption } from './command-line.ts'
import { parseTime } from './parse-time.ts'

/** How a search is narrowed, on the device and on a server alike. */
export const SEARCH_OPTIONS: readonly OptionRow[] = [
  { flags: '--limit <n>', about: `entries per group, at most ${LIMIT_MAX}; ${LIMIT_DEFAULT} by default` },
  { flags: '--group <names>', about: `only these groups: ${GROUPS.join(', ')}`, repeat: true },
  {
    flags: '--as-of <time>',
    about: 'answer for this time, as known today: ISO 8601, or 30d for 30 days ago'
  },
  { flags: '--known-at <time>', about: 'only memories stored by this time' },
  { flags: '--since <time>', about: 'only memories said at this time or later' },
  { flags: '--until <time>', about: 'only memories said before this time' },
  { flags: '--speaker <name>', about: 'only memories of this speaker: one or more words of the name' },
  { flags: '--conversation <id>', about: 'only memories of this conversation' },
  { flags: '--source <name>', about: 'only memories from this provider, format, file or folder' },
  { flags: '--kind <kind>', about: `only memories that contain this kind: ${MEMORY_KINDS.join(', ')}` },
  { flags: '--all', about: 'on a terminal, show all entries by group, not one screen of five' },
  { flags: '--explain', about: 'show the score of each entry and why it has it' }
]

/** What they say; a time is left as it was written. Throws a usage fault. */
export function searchOptions(options: CommandLine['options']): SearchOptions {
  const groups = textsOption(options, 'group').flatMap((text) => text.split(',').map(parseGroup))
  return {
    limit: integerOption(options, 'limit', { least: 1, most: LIMIT_MAX }),
    groups: groups.length > 0 ? groups : undefined,
    as_of: textOption(options, 'asOf'),
    known_at: textOption(options, 'knownAt'),
    since: textOption(options, 'since'),
    until: textOption(options, 'until'),
    speaker: textOption(options, 'speaker'),
    conversation: textOption(options, 'conversation'),
    source: textOption(options, 'source'),
    kind: parseKind(textOption(options, 'kind')),
    explain: options.explain === true
  }
}

/** Returns the same options with times as the wire has them. Throws a usage fault. */
export function withTime(options: SearchOptions, nowMs: number): SearchOptions {
  const times = TIME_OPTIONS.flatMap(([name, flag]) => {
    const text = options[name]
    return text === undefined ? [] : [[name, parseTime(text, flag, nowMs)]]
  })
  return { ...options, ...Object.fromEntries(times) }
}

const TIME_OPTIONS = [
  ['as_of', '--as-of'],
  ['known_at', '--known-at'],
  ['since', '--since'],
  ['until', '--until']
] as const

/** Returns the options as fields of a request body, without those that were not given. */
export function toSearchBody(options: SearchOptions): SearchFields {
  const { groups, ...others } = options
  const given = Object.entries({ ...others, groups: groups && [...groups] }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

type SearchFields = { [Name in keyof SearchOptions]?: Exclude<SearchOptions[Name], undefined | readonly Group[]> } & {
  groups?: Group[]
}

function parseKind(kind: string | undefined): MemoryKind | undefined {
  if (kind === undefined) return undefined
  const known = MEMORY_KINDS.find((one) => one === kind)
  if (known !== undefined) return known
  throw new Fault('usage', `Unknown kind "${kind}" in --kind.`, { hint: `use one of: ${MEMORY_KINDS.join(', ')}` })
}

function parseGroup(name: string): Group {
  const group = GROUPS.find((one) => one === name.trim())
  if (group !== undefined) return group
  throw new Fault('usage', `Unknown group "${name}" in --group.`, { hint: `use one or more of: ${GROUPS.join(', ')}` })
}
