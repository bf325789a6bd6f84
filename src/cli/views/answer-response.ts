import { GROUPS, type Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { SearchOutcome } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import { checkFields, pickFields } from '../output/pick-fields.ts'
import type { ListView } from '../output/result-writer.ts'
import { formatCount } from '../output/short-forms.ts'
import { groupOrder } from './group-order.ts'
import { responseLines } from './response-lines.ts'

/** An entry of any group, with the name of its group. */
export type ResponseHit = { group: Group } & Record<string, unknown>

/**
 * Writes a MemoryResponse: as an object in JSON, as a row per entry in a pipe, and as numbered hits on a terminal. The group that
 * most likely contains the answer comes first. A terminal omits weak groups, unless `--group` is given.
 */
export async function answerResponse(
  context: Context,
  { response, placesIn }: Pick<SearchOutcome, 'response' | 'placesIn'>,
  asked: readonly Group[] | undefined
): Promise<void> {
  const { answer, flags, diagnostics } = context
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answerJson(context, response)
  const { shown, left } = groupOrder(response)
  const order = [...shown, ...left]
  const hits = order.flatMap((group) => response[group].map((entry): ResponseHit => ({ group, ...entry })))
  if (hits.length === 0 && answer.mode === 'table') await diagnostics.note('No memories found.')
  const groups = asked === undefined ? shown : order
  await answer.list(hits, {
    ...HIT_LIST,
    lines: (_rows, page) => responseLines({ response, groups, placesIn }, page)
  })
  if (hits.length > 0 && answer.mode === 'table' && flags.verbose)
    await showCounts(context, hits.length, asked ? [] : left)
}

/** Shows the number of entries and the omitted groups, for `--verbose`. */
async function showCounts({ diagnostics }: Context, entries: number, left: readonly Group[]): Promise<void> {
  const more = left.length === 0 ? '' : `; add --group ${left.join(',')} to show weaker groups`
  await diagnostics.detail(`${formatCount(entries, 'entry', 'entries')}${more}`)
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
