import type { WhyNot } from '../../device/device.ts'
import { jsonText } from '../output/json-text.ts'
import { shortId, shortTime } from '../output/short-forms.ts'
import { toPlainLine } from '../output/to-plain-text.ts'

/**
 * An explanation for eyes, a text a line: what words gave, what further evidence gave, in which words an entry has the
 * query's, by which way it was found, and all plain values. What gave nothing is left out, and so are spans, which are
 * marked in the text. JSON has everything.
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

/** What explanations of this program have. Each field may be missing. */
type ExplanationFields = {
  cues?: readonly Cue[]
  evidence?: readonly { name: string; part: number }[]
  sources?: readonly { id: string; rank: number | null; score: number | null }[]
  [name: string]: unknown
}

type Cue = { name: string; asked: string | null; kind: string; from: string; part: number; said: readonly Saying[] }

/** Parts that round to nothing are left out. */
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
  return fedBack.length === 0 ? whole : `${whole}; what the best share: ${fedBack.join(', ')}`
}

function evidenceText(evidence: readonly { name: string; part: number }[]): string {
  const told = evidence.filter(({ part }) => Math.abs(part) >= LEAST)
  if (told.length === 0) return ''
  const sorted = [...told].sort((left, right) => right.part - left.part)
  return `more ${shortScore(sumParts(told))}: ${sorted.map(({ name, part }) => `${evidenceName(name)} ${shortScore(part)}`).join(', ')}`
}

function sumParts(parts: readonly { part: number }[]): number {
  return parts.reduce((sum, { part }) => sum + part, 0)
}

/** Which words of the query are where. */
function hasText({ has, in_subject, in_predicate, in_meaning, in_value, asked_kind }: ExplanationFields): string {
  const places: [string, unknown][] = [
    ['', has],
    [' in its subject', in_subject],
    [' in its predicate', in_predicate],
    [' in what its predicate means', in_meaning],
    [' in its value', in_value],
    [' asks for its kind', asked_kind]
  ]
  const texts = places.flatMap(([where, words]) =>
    Array.isArray(words) && words.length > 0
      ? [`${words.map((word) => toPlainLine(String(word))).join(', ')}${where}`]
      : []
  )
  return texts.length === 0 ? '' : `has ${texts.join('; ')}`
}

/** From which memories an entry is, and by which way they were found. */
function wayText(sources: NonNullable<ExplanationFields['sources']>, { found_by }: ExplanationFields): string {
  const found = sources
    .filter(({ rank }) => rank !== null)
    .map(({ id, rank, score }) => `number ${rank} (${shortScore(score ?? 0)}) ${shortId(id)}`)
  if (found.length > 0) return `from what was found as ${found.slice(0, SOURCES_MAX).join(', ')}`
  const { way, from } = (found_by ?? {}) as { way?: string; from?: string | null }
  if (way === 'key') return `looked up, since ${shortId(String(from))} tells of the same`
  return way === 'name' ? 'looked up by the name that is asked about' : ''
}

/** Sources that are named. */
const SOURCES_MAX = 3

type Step = { subject: string; predicate: string; value: string; source_ids: readonly string[] }

/** Facts that answer together, the one that leads to the next first. */
function pathText({ path }: ExplanationFields): string {
  if (!Array.isArray(path) || path.length === 0) return ''
  const steps = (path as Step[]).map(({ subject, predicate, value, source_ids }) => {
    return `${toPlainLine([subject, predicate, value].join(' '))} (${shortId(source_ids[0] ?? '')})`
  })
  return `by way of ${steps.join(', then ')}`
}

type Other = { value: string; valid_from: string | null; source_ids: readonly string[] }

/** What an entry stands against. */
function againstTexts({ supersedes, superseded_by, contradicted_by }: ExplanationFields): string[] {
  const ids = Array.isArray(contradicted_by) ? contradicted_by : []
  return [
    othersText('takes the place of', supersedes),
    othersText('was followed by', superseded_by),
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

/** Lists and objects have lines of their own, or are spans; the score stands in the head. */
const TOLD_ELSEWHERE = new Set([
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
 * How a memory has something that is asked for, in words: `went`, `related trip`, and what turns near by have of it.
 * `asked` is the word of the query.
 */
export function sayingsText(sayings: readonly Saying[], asked: string): string {
  const own = sayings.filter(({ turn }) => turn === 0).map(ownText)
  const near = sayings.filter(({ turn }) => turn !== 0).map((one) => nearText(one, asked))
  const parts = [...new Set(own)]
  return near.length === 0 ? parts.join(', ') : [...parts, `near by ${[...new Set(near)].join(', ')}`].join('; ')
}

function ownText({ as, word, written = word }: Saying): string {
  if (as === 'speaker') return `${written} speaks`
  if (as === 'about') return `about ${written}`
  if (as === 'date') return 'its date'
  return as === 'related' ? `related ${written}` : written
}

function nearText({ as, word }: Saying, asked: string): string {
  if (as === 'word') return asked
  return as === 'related' ? `related ${word}` : word
}

/** What further evidence of a ranking is called for people. */
const NAMES: Readonly<Record<string, string>> = {
  covered_words: 'has many of the words',
  nearby_turns: 'the talk around it fits',
  answered_question: 'follows a question like it',
  plain_statement: 'states something',
  asked_traits: 'has the kind of thing asked for',
  about_names: 'tells of who is asked about',
  dated_then: 'was said on the date asked for',
  tells_of_then: 'tells of the date asked for',
  asks_itself: 'is a question itself',
  outside_pool: 'too few words to be looked at closely'
}

/** The plain name of a piece of evidence; one that is not known is called as it is, without underscores. */
export function evidenceName(name: string): string {
  return NAMES[name] ?? name.replaceAll('_', ' ')
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** What a thing that a query looks for is called: the query's own word, or the part of a date. */
export function cueName({ name, asked, kind }: { name: string; asked: string | null; kind: string }): string {
  if (kind !== 'date') return asked ?? name
  const [part = name, value = ''] = name.split(':')
  return part === 'month' ? (MONTHS[Number(value) - 1] ?? name) : `${part} ${value}`
}

/** `.82` for 0.8213, `-.03` for what takes away: a person compares, and two digits are enough for it. */
export function shortScore(score: number): string {
  return score
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace(/^-\.00$/, '.00')
}

/** A time as a hit shows it: to the minute, to the day where it is midnight; nothing where there is none. UTC. */
export function formatPeriodTime(time: string | null): string {
  const short = shortTime(time)
  return short.endsWith(MIDNIGHT) && time?.endsWith('T00:00:00.000Z') ? short.slice(0, -MIDNIGHT.length) : short
}

/** From when to when: a day that both share is said once. */
export function formatPeriod(from: string | null, to: string | null): string {
  const [start, end] = [formatPeriodTime(from), formatPeriodTime(to)]
  if (start === '' || end === '' || start === end) return start || end
  const day = start.slice(0, DAY_LENGTH)
  return `${start} to ${end.startsWith(`${day} `) && start !== day ? end.slice(DAY_LENGTH + 1) : end}`
}

/** A time to the day, in UTC. */
export function formatDay(time: string): string {
  return shortTime(time).slice(0, DAY_LENGTH)
}

const MIDNIGHT = ' 00:00'
const DAY_LENGTH = 'YYYY-MM-DD'.length
