import { Fault } from '../../contract/faults.ts'
import { GROUPS, type Group, LIMIT_DEFAULT, LIMIT_MAX, MEMORY_KINDS, type MemoryKind } from '../../contract/groups.ts'
import type { SearchOptions } from '../../device/device.ts'
import { type CommandLine, integerOption, type OptionRow, textOption, textsOption } from './command-line.ts'
import { parseTime } from './parse-time.ts'

/** The options that narrow a search, on the device and on a server. */
export const SEARCH_OPTIONS: readonly OptionRow[] = [
  { flags: '--limit <n>', about: `entries per group, at most ${LIMIT_MAX}; ${LIMIT_DEFAULT} by default` },
  { flags: '--group <names>', about: `groups to return, separated by commas: ${GROUPS.join(', ')}`, repeat: true },
  {
    flags: '--as-of <time>',
    about: 'facts that held at this time, as known today: ISO 8601, or 30d for 30 days ago'
  },
  { flags: '--known-at <time>', about: 'only memories stored by this time' },
  { flags: '--since <time>', about: 'only memories from this time on' },
  { flags: '--until <time>', about: 'only memories before this time' },
  { flags: '--speaker <name>', about: 'only memories of this speaker: one or more words of the name' },
  { flags: '--conversation <id>', about: 'only memories of this conversation' },
  { flags: '--source <name>', about: 'only memories from this provider, format, file or folder' },
  { flags: '--kind <kind>', about: `only memories that contain this kind: ${MEMORY_KINDS.join(', ')}` },
  { flags: '--all', about: 'on a terminal, show all entries by group instead of five on one screen' },
  { flags: '--explain', about: 'show the score of each entry with its reasons' }
]

/** Returns the search options as given; times are not parsed yet. Throws a usage fault. */
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
  throw new Fault('usage', `unknown kind '${kind}' in --kind`, { hint: `use one of: ${MEMORY_KINDS.join(', ')}` })
}

function parseGroup(name: string): Group {
  const group = GROUPS.find((one) => one === name.trim())
  if (group !== undefined) return group
  throw new Fault('usage', `unknown group '${name}' in --group`, { hint: `use one or more of: ${GROUPS.join(', ')}` })
}
