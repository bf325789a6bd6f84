import { GROUPS, type Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import { wrapText } from '../output/fit-text.ts'
import { jsonText } from '../output/json-text.ts'
import type { Line, Page } from '../output/line.ts'
import { shortId, shortTime } from '../output/short-forms.ts'

/** A MemoryResponse for eyes: numbered hits under the headings of their groups, a heading only where there are several. */
export function responseLines(response: MemoryResponse, page: Page): Line[] {
  const filled = GROUPS.filter((group) => response[group].length > 0)
  const lines = filled.flatMap((group) => [
    ...(filled.length > 1 ? [[{ text: HEADINGS[group], look: 'bold' as const }]] : []),
    ...groupHits(response, group).flatMap((hit, index) => hitLines(hit, index + 1, page)),
    []
  ])
  return lines.slice(0, -1)
}

const HEADINGS: Readonly<Record<Group, string>> = {
  semantics: 'Facts',
  procedures: 'How-tos, preferences, rules',
  episodes: 'Episodes',
  sources: 'What was said'
}

/** What a person sees of an entry. */
type Shown = { id: string; head: string; text: string; explanation: unknown }

function groupHits(response: MemoryResponse, group: Group): Shown[] {
  if (group === 'semantics') return response.semantics.map(factShown)
  if (group === 'procedures') return response.procedures.map(procedureShown)
  if (group === 'episodes') return response.episodes.map(episodeShown)
  return response.sources.map(sourceShown)
}

function factShown(entry: MemoryResponse['semantics'][number]): Shown {
  const until = entry.valid_to === null ? '' : `until ${shortTime(entry.valid_to)}`
  const since = entry.valid_from === null ? '' : `since ${shortTime(entry.valid_from)}`
  const text = `${entry.subject} · ${entry.predicate} · ${entry.value}`
  return { id: entry.id, head: [since, until].join(' ').trim(), text, explanation: entry.explanation }
}

function procedureShown(entry: MemoryResponse['procedures'][number]): Shown {
  const steps = (entry.steps ?? []).map((step, index) => `\n${index + 1}. ${step}`).join('')
  return {
    id: entry.id,
    head: entry.kind.replace('_', '-'),
    text: entry.statement + steps,
    explanation: entry.explanation
  }
}

function episodeShown(entry: MemoryResponse['episodes'][number]): Shown {
  const times = [entry.started_at, entry.ended_at].map(shortTime).filter((time) => time !== '')
  const head = [[...new Set(times)].join(' to '), entry.participants.join(', ')]
    .filter((part) => part !== '')
    .join('  ')
  return { id: entry.id, head, text: entry.summary, explanation: entry.explanation }
}

function sourceShown(entry: MemoryResponse['sources'][number]): Shown {
  const head = [shortTime(entry.timestamp), entry.speaker ?? '', entry.title ?? '']
    .filter((part) => part !== '')
    .join('  ')
  return { id: entry.id, head, text: entry.text, explanation: entry.explanation }
}

/** So much of a text is shown; `show` shows the rest. */
const TEXT_LINES_MAX = 4

function hitLines(hit: Shown, number: number, page: Page): Line[] {
  const label = `${number}. `.padStart(4)
  const indent = ' '.repeat(label.length)
  const { width } = page
  const columns = page.columns - indent.length
  const id = hit.id.startsWith('mem_') ? shortId(hit.id) : ''
  const beside = width(hit.head) + id.length + 2 <= columns
  const head = wrapText(hit.head, { columns: beside ? columns - id.length - 2 : columns, width, linesMax: 1 })[0] ?? ''
  const text = wrapText(hit.text, { columns, width, linesMax: TEXT_LINES_MAX })
  const why = hit.explanation === undefined ? [] : wrapText(jsonText(hit.explanation), { columns, width })
  return [
    [label, { text: head, look: 'note' }, { text: beside && id !== '' ? `  ${id}` : '', look: 'dim' }],
    ...text.map((line) => [indent + line]),
    ...(beside || id === '' ? [] : [[indent, { text: id, look: 'dim' as const }]]),
    ...why.map((line): Line => [indent, { text: line, look: 'dim' }])
  ]
}
