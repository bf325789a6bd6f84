import type { Fault } from '../../contract/faults.ts'
import { GROUPS, LIMIT_DEFAULT } from '../../contract/groups.ts'
import type { QuestionOptions } from '../../contract/question-options.ts'
import { parseIsoTime } from '../../memory/parse-iso-time.ts'
import type { MemoryFilter } from '../rank/memory-filter.ts'
import type { SearchQuestion } from './answer-query.ts'

/**
 * Converts options to a question.
 *
 * @throws what `invalid` builds for a time that is not in ISO 8601.
 */
export function toSearchQuestion(
  query: string,
  options: QuestionOptions,
  invalid: (field: string, message: string) => Fault
): SearchQuestion {
  const { limit = LIMIT_DEFAULT, groups = GROUPS, explain = false, speaker, conversation, source, kind } = options
  const readTime = (field: 'as_of' | 'known_at' | 'since' | 'until'): string | undefined => {
    const text = options[field]
    const time = text === undefined ? undefined : parseIsoTime(text)
    if (text === undefined || time !== undefined) return time
    throw invalid(field, `expected a time in ISO 8601, such as 2026-01-02T03:04:05Z, received "${text.slice(0, 80)}"`)
  }
  const readMs = (field: 'known_at' | 'since' | 'until'): number | undefined => {
    const time = readTime(field)
    return time === undefined ? undefined : Date.parse(time)
  }
  const filter: MemoryFilter = {
    knownAt: readMs('known_at'),
    since: readMs('since'),
    until: readMs('until'),
    speaker,
    conversation,
    source,
    onlySources: options.only_sources,
    exceptSources: options.except_sources,
    kind
  }
  return { query, limit, groups: [...new Set(groups)], explain, asOf: readTime('as_of'), filter }
}
