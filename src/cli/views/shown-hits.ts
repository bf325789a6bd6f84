import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import { plainLine } from '../output/plain-text.ts'
import { shortTime } from '../output/short-forms.ts'

/** What a person sees of an entry. `source` is the id that `show` takes: of the entry's best memory. */
export type Shown = { source: string; head: string; text: string; explanation: unknown }

/** What stands above the entries of a group. */
export const HEADINGS: Readonly<Record<Group, string>> = {
  semantics: 'Facts',
  procedures: 'How-tos, preferences, rules',
  episodes: 'Episodes',
  sources: 'What was said'
}

/** The entries of one group as a person sees them. */
export function shownHits(response: MemoryResponse, group: Group): Shown[] {
  if (group === 'semantics') return response.semantics.map(factShown)
  if (group === 'procedures') return response.procedures.map(procedureShown)
  if (group === 'episodes') return response.episodes.map(episodeShown)
  return response.sources.map(sourceShown)
}

function factShown(entry: MemoryResponse['semantics'][number]): Shown {
  const since = entry.valid_from === null ? '' : `since ${shortDay(entry.valid_from)}`
  const until = entry.valid_to === null ? '' : `until ${shortDay(entry.valid_to)}`
  return {
    ...commonOf(entry),
    head: words(since, until, shortScore(entry.score)),
    text: [entry.subject, entry.predicate, entry.value].map((part) => plainLine(part)).join('  ')
  }
}

function procedureShown(entry: MemoryResponse['procedures'][number]): Shown {
  const steps = (entry.steps ?? []).map((step, index) => `\n${index + 1}. ${step}`).join('')
  const head = words(entry.kind.replace('_', '-'), shortScore(entry.score))
  return { ...commonOf(entry), head, text: entry.statement + steps }
}

function episodeShown(entry: MemoryResponse['episodes'][number]): Shown {
  const times = [entry.started_at, entry.ended_at].map(shortTime).filter((time) => time !== '')
  const head = words([...new Set(times)].join(' to '), entry.participants.join(', '), shortScore(entry.score))
  return { ...commonOf(entry), head, text: entry.summary }
}

function sourceShown(entry: MemoryResponse['sources'][number]): Shown {
  const head = words(shortTime(entry.timestamp), entry.speaker ?? '', entry.title ?? '')
  return { ...commonOf(entry), head, text: entry.text }
}

function commonOf(entry: { source_ids: string[]; explanation?: unknown }): Pick<Shown, 'source' | 'explanation'> {
  return { source: entry.source_ids[0] ?? '', explanation: entry.explanation }
}

function words(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('  ')
}

/** A time to the day, in UTC. */
function shortDay(time: string): string {
  return shortTime(time).slice(0, 'YYYY-MM-DD'.length)
}

/** `.82` for 0.8213. */
function shortScore(score: number): string {
  return score.toFixed(2).replace(/^0/, '')
}
