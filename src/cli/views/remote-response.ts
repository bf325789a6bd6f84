import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { SearchOptions } from '../../device/types.ts'
import type { Context } from '../context.ts'
import { answerResponse } from './response.ts'
import type { Found } from './snippet.ts'

/** A search that a server does. */
export type RemoteSearch = (options: SearchOptions) => Promise<MemoryResponse>

/**
 * Answers with what a server found, as `answerResponse` does. For eyes an explanation is asked for in any case: it says
 * where in the texts the words of the query stand. It is shown only where it was wanted.
 */
export async function answerRemote(context: Context, options: SearchOptions, search: RemoteSearch): Promise<void> {
  const forEyes = context.answer.mode === 'table'
  const response = await search(forEyes ? { ...options, explain: true } : options)
  const placesIn = placesFrom(response)
  const shown = options.explain || !forEyes ? response : withoutExplanations(response)
  await answerResponse(context, { response: shown, placesIn }, options.groups)
}

/** Where texts have words of the query, from the explanations of the sources. What is no span is passed over. */
function placesFrom({ sources }: MemoryResponse): (text: string) => Found[] {
  const places = new Map(sources.map(({ text, explanation }) => [text, spansOf(explanation?.spans)]))
  return (text) => (places.get(text) ?? []).filter(({ start, end }) => start >= 0 && start < end && end <= text.length)
}

function spansOf(spans: unknown): Found[] {
  if (!Array.isArray(spans)) return []
  const found = spans.flatMap((one) => {
    const [start, end] = Array.isArray(one?.span) ? one.span : []
    const fits = typeof one?.term === 'string' && Number.isInteger(start) && Number.isInteger(end)
    return fits ? [{ term: one.term, start, end, weight: 1 }] : []
  })
  return found.sort((left, right) => left.start - right.start)
}

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
