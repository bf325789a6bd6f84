import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { SearchOptions } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import type { NumberedEntry } from '../snapshots/search-numbers.ts'
import { answerResponse } from './answer-response.ts'
import type { SnippetMatch } from './cut-snippet.ts'

/** The response of a server to a query, with the options of the search. */
type RemoteSearch = {
  query: string
  response: MemoryResponse
  options: SearchOptions
  all: boolean
}

/**
 * Writes the response of a server. For a terminal it needs explanations, which contain the positions of the query terms.
 * Returns the memories that a terminal shows, by the number of their entry.
 */
export async function answerRemote(
  context: Context,
  { query, response, options, all }: RemoteSearch
): Promise<NumberedEntry[]> {
  const { groups, explain = false } = options
  return await answerResponse(context, {
    query,
    response,
    placesIn: placesFrom(response),
    groups,
    all,
    explain
  })
}

/** Finds query terms in texts by the explanations of the sources. Ignores invalid spans. */
function placesFrom({ sources }: MemoryResponse): (text: string) => SnippetMatch[] {
  const places = new Map(sources.map(({ text, explanation }) => [text, parseSpans(explanation?.spans)]))
  return (text) => (places.get(text) ?? []).filter(({ start, end }) => start >= 0 && start < end && end <= text.length)
}

function parseSpans(spans: unknown): SnippetMatch[] {
  if (!Array.isArray(spans)) return []
  const found = spans.flatMap((one) => {
    const [start, end] = Array.isArray(one?.span) ? one.span : []
    const fits = typeof one?.term === 'string' && Number.isInteger(start) && Number.isInteger(end)
    return fits ? [{ term: one.term, start, end, weight: 1 }] : []
  })
  return found.sort((left, right) => left.start - right.start)
}
