import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import { plainLine, plainText } from '../output/plain-text.ts'
import { shortScore } from './short-score.ts'
import { shownDay, shownPeriod, shownTime } from './shown-time.ts'

/**
 * What a person sees of an entry, as plain text. `source` is the id that `show` takes: of the entry's best memory;
 * `others` says how many more say the same.
 */
export type Shown = { source: string; others: string; head: string; text: string; explanation: unknown }

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
  const since = entry.valid_from === null ? '' : `since ${shownDay(entry.valid_from)}`
  const until = entry.valid_to === null ? '' : `until ${shownDay(entry.valid_to)}`
  return {
    ...commonOf(entry),
    others: more(entry, 'more'),
    head: words(since, until, shortScore(entry.score)),
    text: [entry.subject, entry.predicate, entry.value].map((part) => plainLine(part)).join('  ')
  }
}

function procedureShown(entry: MemoryResponse['procedures'][number]): Shown {
  const steps = (entry.steps ?? []).map((step, index) => `\n${index + 1}. ${step}`).join('')
  const head = words(entry.kind.replace('_', '-'), shortScore(entry.score))
  return { ...commonOf(entry), others: more(entry, 'more'), head, text: tidyText(entry.statement + steps) }
}

function episodeShown(entry: MemoryResponse['episodes'][number]): Shown {
  const time = shownPeriod(entry.started_at, entry.ended_at)
  const head = words(time, entry.participants.join(', '), shortScore(entry.score))
  return { ...commonOf(entry), head, text: tidyText(entry.summary) }
}

function sourceShown(entry: MemoryResponse['sources'][number]): Shown {
  const head = words(shownTime(entry.timestamp), entry.speaker ?? '', entry.title ?? '')
  return { ...commonOf(entry), others: more(entry, 'copy', 'copies'), head, text: tidyText(entry.text) }
}

type Common = { source_ids: string[]; explanation?: unknown }

function commonOf({ source_ids, explanation }: Common): Pick<Shown, 'source' | 'others' | 'explanation'> {
  return { source: source_ids[0] ?? '', others: '', explanation }
}

/** `and 2 copies` for an entry of three memories. */
function more({ source_ids }: Common, one: string, many = one): string {
  const others = source_ids.length - 1
  return others < 1 ? '' : `and ${others} ${others === 1 ? one : many}`
}

/** A text without what would only cost lines: spaces around it, and empty lines. */
function tidyText(text: string): string {
  return plainText(text)
    .trim()
    .replace(/\n\s*\n/g, '\n')
}

function words(...parts: string[]): string {
  return parts
    .map(plainLine)
    .filter((part) => part !== '')
    .join('  ')
}
