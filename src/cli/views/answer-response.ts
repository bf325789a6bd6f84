import { GROUPS, type Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { SearchOutcome } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import { checkFields, pickFields } from '../output/pick-fields.ts'
import type { ListView } from '../output/result-writer.ts'
import { formatCount } from '../output/short-forms.ts'
import type { Page, StyledLine } from '../output/styled-line.ts'
import type { NumberedEntry } from '../snapshots/search-numbers.ts'
import { chooseScreen, SCREEN_ENTRIES_MAX } from './choose-screen.ts'
import { groupOrder } from './group-order.ts'
import { responseLines } from './response-lines.ts'
import { screenLines } from './screen-lines.ts'

/** An entry of any group, with the name of its group. */
export type ResponseHit = { group: Group } & Record<string, unknown>

/** A response with its query and the options that decide what a terminal shows. */
export type ShownSearch = {
  query: string
  /** For a terminal, with explanations, which contain earlier values and the memories of facts. */
  response: MemoryResponse
  placesIn: SearchOutcome['placesIn']
  groups: readonly Group[] | undefined
  /** Show all entries by group, not one screen. */
  all: boolean
  explain: boolean
}

/**
 * Writes a MemoryResponse: as an object in JSON, as a row per entry in a pipe, and on a terminal as one screen, or by group with
 * `--all` or `--group`. Returns the memories that a terminal shows, by the number of their entry.
 */
export async function answerResponse(context: Context, search: ShownSearch): Promise<NumberedEntry[]> {
  const { answer, flags, diagnostics } = context
  const { response } = search
  if (answer.mode === 'json' || answer.mode === 'jsonl') {
    await answerJson(context, response)
    return []
  }
  const { shown, left } = groupOrder(response)
  const hits = [...shown, ...left].flatMap((group) =>
    response[group].map((entry): ResponseHit => ({ group, ...entry }))
  )
  if (answer.mode !== 'table' || flags.fields !== undefined) {
    await answer.list(hits, HIT_LIST)
    return []
  }
  if (hits.length === 0) {
    await diagnostics.note('No memories found.')
    return []
  }
  const view = search.all || search.groups !== undefined ? viewGroups(search, [...shown, ...left]) : viewScreen(search)
  await answer.list(hits, {
    ...HIT_LIST,
    lines: (_rows, page) => view.lines(page)
  })
  if (view.left > 0 && !search.all)
    await diagnostics.hint(`${formatCount(view.left, 'more entry', 'more entries')}: add --all`)
  return view.entries
}

/** Lines for a terminal, the memories of the numbered entries, and the number of entries left out. */
type ResponseView = {
  lines: (page: Page) => StyledLine[]
  entries: NumberedEntry[]
  left: number
}

function viewScreen({ query, response, placesIn, explain }: ShownSearch): ResponseView {
  const screen = chooseScreen(response, query)
  const entries = [...(screen.answer === undefined ? [] : [screen.answer]), ...screen.passages]
  return {
    lines: (page) => screenLines(screen, { ...page, placesIn, explain }),
    entries: entries.map(({ id, exchange }) => ({ id, exchange: exchange.map((turn) => turn.id) })),
    left: screen.left
  }
}

/** Lists entries by group, numbered across the groups. Without `--all`, as many as fit one screen. */
function viewGroups({ response, placesIn, all, explain }: ShownSearch, groups: readonly Group[]): ResponseView {
  const whole = explain ? response : withoutExplanations(response)
  const shown = all ? whole : limitEntries(whole, groups)
  const entries = (one: MemoryResponse) => groups.flatMap((group): { source_ids: string[] }[] => one[group])
  return {
    lines: (page) => responseLines({ response: shown, groups, placesIn, explain }, page),
    entries: entries(shown).map(({ source_ids }) => ({ id: source_ids[0] ?? '', exchange: [] })),
    left: entries(whole).length - entries(shown).length
  }
}

/** Keeps the first entries of the groups, in the given order, up to one screen. */
function limitEntries(response: MemoryResponse, groups: readonly Group[]): MemoryResponse {
  const limited = { ...response }
  let room = SCREEN_ENTRIES_MAX
  for (const group of groups) {
    const kept = response[group].slice(0, room)
    Object.assign(limited, { [group]: kept })
    room -= kept.length
  }
  return limited
}

/** Returns the response without its explanations. */
function withoutExplanations(response: MemoryResponse): MemoryResponse {
  const bare = <Entry extends { explanation?: unknown }>(entries: readonly Entry[]) =>
    entries.map(({ explanation: _, ...entry }) => entry)
  return {
    semantics: bare(response.semantics),
    procedures: bare(response.procedures),
    episodes: bare(response.episodes),
    sources: bare(response.sources)
  }
}

/** Writes JSON. There, `--fields` selects groups, fields of the entries, or both. */
async function answerJson({ answer, flags }: Context, response: MemoryResponse): Promise<void> {
  const { fields } = flags
  if (fields === undefined) return await answer.jsonLine(response)
  checkFields(fields, [...GROUPS, ...ENTRY_FIELDS])
  const groups = GROUPS.filter((group) => fields.includes(group))
  const inEntries = fields.filter((field) => !GROUPS.some((group) => group === field))
  const picked = (groups.length > 0 ? groups : GROUPS).map((group) => {
    return [
      group,
      inEntries.length > 0 ? response[group].map((entry) => pickFields(entry, inEntries)) : response[group]
    ]
  })
  await answer.jsonLine(Object.fromEntries(picked))
}

/** All fields that an entry of any group may have. */
const ENTRY_FIELDS = [
  'id',
  'score',
  'source_ids',
  'explanation',
  'subject',
  'predicate',
  'value',
  'confidence',
  'valid_from',
  'valid_to',
  'span',
  'statement',
  'kind',
  'steps',
  'summary',
  'started_at',
  'ended_at',
  'participants',
  'events',
  'text',
  'speaker',
  'timestamp',
  'title',
  'url',
  'metadata'
]

const HIT_LIST: ListView<ResponseHit> = {
  columns: [
    { name: 'group', value: (hit) => hit.group, leaves: 4 },
    { name: 'score', value: (hit) => hit.score, leaves: 3 },
    { name: 'id', value: (hit) => hit.id },
    { name: 'time', value: (hit) => hit.timestamp ?? hit.valid_from ?? hit.started_at ?? null, leaves: 2 },
    { name: 'speaker', value: (hit) => hit.speaker ?? null, flexible: true },
    { name: 'content', value: hitText, flexible: true }
  ],
  json: (hit) => hit,
  fields: ENTRY_FIELDS
}

/** Returns the content of an entry as one text. */
function hitText(hit: ResponseHit): string {
  if (hit.group === 'semantics') return [hit.subject, hit.predicate, hit.value].join(' · ')
  return String(hit.text ?? hit.statement ?? hit.summary ?? '')
}
