import type { WhyNot } from '../../device/device.ts'
import { jsonText } from '../output/json-text.ts'
import { shortId, shortTime } from '../output/short-forms.ts'
import { toPlainLine } from '../output/to-plain-text.ts'

/**
 * Formats an explanation for a terminal, one text per line: the score from words, the score from further evidence, the matching
 * words, how the entry was found, and plain values. Omits zeros and spans, which are marked in the text. JSON contains all of it.
 */
export function explanationText(explanation: unknown): string[] {
  if (typeof explanation !== 'object' || explanation === null) return []
  const { cues = [], evidence = [], sources = [], ...more } = explanation as ExplanationFields
  const lines = [
    cuesText(cues),
    evidenceText(evidence),
    pathText(more),
    hasText(more),
    wayText(sources, more),
    ...againstTexts(more),
    plainText(more)
  ]
  return lines.filter((line) => line !== '')
}

/** The fields of an explanation. Each may be missing. */
type ExplanationFields = {
  cues?: readonly Cue[]
  evidence?: readonly { name: string; part: number }[]
  sources?: readonly { id: string; rank: number | null; score: number | null }[]
  [name: string]: unknown
}

type Cue = { name: string; asked: string | null; kind: string; from: string; part: number; said: readonly Saying[] }

/** Minimum part of a score that is shown: smaller ones round to zero. */
const LEAST = 0.005

function cuesText(cues: readonly Cue[]): string {
  const told = [...cues].filter(({ part }) => part >= LEAST).sort((left, right) => right.part - left.part)
  if (told.length === 0) return ''
  const texts = told.map(({ name, asked, kind, part, said }) => {
    const called = cueName({ name, asked, kind })
    const how = sayingsText(said, called)
    return `${called} ${shortScore(part)}${how === '' || how === called ? '' : ` (${how})`}`
  })
  const own = texts.filter((_, at) => told[at]?.from !== 'feedback')
  const fedBack = texts.filter((_, at) => told[at]?.from === 'feedback')
  const whole = `words ${shortScore(sumParts(told))}: ${own.join(', ')}`
  return fedBack.length === 0 ? whole : `${whole}; shared with the best hits: ${fedBack.join(', ')}`
}

function evidenceText(evidence: readonly { name: string; part: number }[]): string {
  const told = evidence.filter(({ part }) => Math.abs(part) >= LEAST)
  if (told.length === 0) return ''
  const sorted = [...told].sort((left, right) => right.part - left.part)
  return `evidence ${shortScore(sumParts(told))}: ${sorted.map(({ name, part }) => `${evidenceName(name)} ${shortScore(part)}`).join(', ')}`
}

function sumParts(parts: readonly { part: number }[]): number {
  return parts.reduce((sum, { part }) => sum + part, 0)
}

/** Formats where the words of the query occur. */
function hasText({ has, in_subject, in_predicate, in_meaning, in_value, asked_kind }: ExplanationFields): string {
  const places: [string, unknown][] = [
    ['', has],
    [' in its subject', in_subject],
    [' in its predicate', in_predicate],
    [' in the meaning of its predicate', in_meaning],
    [' in its value', in_value],
    [' (asks for its kind)', asked_kind]
  ]
  const texts = places.flatMap(([where, words]) =>
    Array.isArray(words) && words.length > 0
      ? [`${words.map((word) => toPlainLine(String(word))).join(', ')}${where}`]
      : []
  )
  return texts.length === 0 ? '' : `contains ${texts.join('; ')}`
}

/** Formats the memories that an entry comes from and how they were found. */
function wayText(sources: NonNullable<ExplanationFields['sources']>, { found_by }: ExplanationFields): string {
  const found = sources
    .filter(({ rank }) => rank !== null)
    .map(({ id, rank, score }) => `number ${rank} (${shortScore(score ?? 0)}) ${shortId(id)}`)
  if (found.length > 0) return `from search result ${found.slice(0, SOURCES_MAX).join(', ')}`
  const { way, from } = (found_by ?? {}) as { way?: string; from?: string | null }
  if (way === 'key') return `looked up because ${shortId(String(from))} is about the same subject`
  return way === 'name' ? 'looked up by the name in the query' : ''
}

/** Maximum number of sources that are listed. */
const SOURCES_MAX = 3

type Step = { subject: string; predicate: string; value: string; source_ids: readonly string[] }

/** Formats the chain of facts that answers the query. */
function pathText({ path }: ExplanationFields): string {
  if (!Array.isArray(path) || path.length === 0) return ''
  const steps = (path as Step[]).map(({ subject, predicate, value, source_ids }) => {
    return `${toPlainLine([subject, predicate, value].join(' '))} (${shortId(source_ids[0] ?? '')})`
  })
  return `through ${steps.join(', then ')}`
}

type Other = { value: string; valid_from: string | null; source_ids: readonly string[] }

/** Formats the entries that this one replaces, that replace it, or that contradict it. */
function againstTexts({ supersedes, superseded_by, contradicted_by }: ExplanationFields): string[] {
  const ids = Array.isArray(contradicted_by) ? contradicted_by : []
  return [
    othersText('supersedes', supersedes),
    othersText('superseded by', superseded_by),
    ids.length === 0 ? '' : `contradicted by ${ids.map((id) => shortId(String(id))).join(', ')}`
  ]
}

function othersText(how: string, others: unknown): string {
  if (!Array.isArray(others) || others.length === 0) return ''
  const texts = (others as Other[]).map(({ value, valid_from, source_ids }) => {
    const since = valid_from === null ? '' : `, since ${formatDay(valid_from)}`
    return `${toPlainLine(value)} (${shortId(source_ids[0] ?? '')}${since})`
  })
  return `${how} ${texts.join(', ')}`
}

/** Fields that are formatted elsewhere: lists and objects on lines of their own, and the score in the heading. */
const TOLD_ELSEWHERE = new Set([
  'exchange',
  'score',
  'path',
  'has',
  'in_subject',
  'in_predicate',
  'in_meaning',
  'in_value',
  'asked_kind',
  'found_by',
  'key',
  'spans',
  'memory',
  'supersedes',
  'superseded_by',
  'contradicted_by'
])

function plainText(more: ExplanationFields): string {
  const values = Object.entries(more).filter(([name, value]) => !TOLD_ELSEWHERE.has(name) && !isEmpty(value))
  return values.map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`).join('  ')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : shortScore(value)
  if (typeof value === 'string') return toPlainLine(value)
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return toPlainLine(jsonText(value))
}

type Saying = WhyNot['report']['compared'][number]['said'][number]

/**
 * Formats the matches of a query term in a memory, such as `went` or `related trip`, and in neighbouring turns. `asked` is the
 * word of the query.
 */
export function sayingsText(sayings: readonly Saying[], asked: string): string {
  const own = sayings.filter(({ turn }) => turn === 0).map(ownText)
  const near = sayings.filter(({ turn }) => turn !== 0).map((one) => nearText(one, asked))
  const parts = [...new Set(own)]
  return near.length === 0 ? parts.join(', ') : [...parts, `nearby ${[...new Set(near)].join(', ')}`].join('; ')
}

function ownText({ as, word, written = word }: Saying): string {
  if (as === 'speaker') return `speaker ${written}`
  if (as === 'about') return `about ${written}`
  if (as === 'date') return 'its date'
  return as === 'related' ? `related ${written}` : written
}

function nearText({ as, word }: Saying, asked: string): string {
  if (as === 'word') return asked
  return as === 'related' ? `related ${word}` : word
}

/** Descriptions of the further evidence of a ranking. */
const NAMES: Readonly<Record<string, string>> = {
  covered_words: 'contains many of the words',
  covered_nearby: 'contains the words with nearby turns',
  nearby_turns: 'neighbouring turns match',
  answered_question: 'follows a similar question',
  asked_next: 'the next turn asks this',
  plain_statement: 'is a statement',
  opens_conversation: 'opens a conversation',
  asked_traits: 'has the requested kind of value',
  about_names: 'is about the person in the query',
  said_by_named: 'comes from the person in the query',
  dated_then: 'is from the requested date',
  tells_of_then: 'is about the requested date',
  similar_meaning: 'has a similar meaning',
  long_turn: 'is a long turn',
  outside_pool: 'has too few words for further evidence'
}

/** Returns the description of a piece of evidence. For unknown evidence, returns its name without underscores. */
export function evidenceName(name: string): string {
  return NAMES[name] ?? name.replaceAll('_', ' ')
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Returns the display name of a query term: the word of the query, or the part of a date. */
export function cueName({ name, asked, kind }: { name: string; asked: string | null; kind: string }): string {
  if (kind !== 'date') return asked ?? name
  const [part = name, value = ''] = name.split(':')
  return part === 'month' ? (MONTHS[Number(value) - 1] ?? name) : `${part} ${value}`
}

/** Formats a score with two digits, which are enough to compare: `.82` for 0.8213, `-.03` for a negative part. */
export function shortScore(score: number): string {
  return score
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace(/^-\.00$/, '.00')
}

/** Formats a UTC time to the minute, or to the day if it is midnight. Returns an empty text for null. */
export function formatPeriodTime(time: string | null): string {
  const short = shortTime(time)
  return short.endsWith(MIDNIGHT) && time?.endsWith('T00:00:00.000Z') ? short.slice(0, -MIDNIGHT.length) : short
}

/** Formats a period. If start and end are on the same day, the day appears once. */
export function formatPeriod(from: string | null, to: string | null): string {
  const [start, end] = [formatPeriodTime(from), formatPeriodTime(to)]
  if (start === '' || end === '' || start === end) return start || end
  const day = start.slice(0, DAY_LENGTH)
  return `${start} to ${end.startsWith(`${day} `) && start !== day ? end.slice(DAY_LENGTH + 1) : end}`
}

/** Formats a time as a UTC day. */
export function formatDay(time: string): string {
  return shortTime(time).slice(0, DAY_LENGTH)
}

const MIDNIGHT = ' 00:00'
const DAY_LENGTH = 'YYYY-MM-DD'.length
