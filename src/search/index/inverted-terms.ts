import type { TermStream } from './term-collector.ts'

/** The documents of each term, ascending, with counts: term t owns entries `starts[t]` to `starts[t + 1]`. */
export type InvertedTerms = { starts: Uint32Array; documents: Uint32Array; counts: Uint8Array }

/**
 * Turns streams round. `order` lists old rows (those of the first stream, then of the second, …) in the order of their
 * new numbers; rows that it does not name are left out. Two passes, no sorting.
 */
export function invertTerms(streams: readonly TermStream[], order: Uint32Array, vocabulary: number): InvertedTerms {
  const places = locate(streams)
  const starts = new Uint32Array(vocabulary + 1)
  for (const row of order) {
    const { stream, from, to } = places(row)
    for (let entry = from; entry < to; entry++) {
      const next = (stream.terms[entry] ?? 0) + 1
      starts[next] = (starts[next] ?? 0) + 1
    }
  }
  for (let term = 0; term < vocabulary; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
  return fill(places, order, starts)
}

type Place = { stream: TermStream; from: number; to: number }

/** Where the entries of an old row are. Gives the same object each time. */
function locate(streams: readonly TermStream[]): (row: number) => Place {
  const first = streams[0] ?? {
    documents: 0,
    starts: new Uint32Array(1),
    terms: new Uint32Array(0),
    counts: new Uint8Array(0)
  }
  const place: Place = { stream: first, from: 0, to: 0 }
  return (row) => {
    let rest = row
    for (const stream of streams) {
      if (rest < stream.documents) {
        place.stream = stream
        place.from = stream.starts[rest] ?? 0
        place.to = stream.starts[rest + 1] ?? 0
        break
      }
      rest -= stream.documents
    }
    return place
  }
}

function fill(places: (row: number) => Place, order: Uint32Array, starts: Uint32Array): InvertedTerms {
  const next = starts.slice()
  const entries = starts[starts.length - 1] ?? 0
  const documents = new Uint32Array(entries)
  const counts = new Uint8Array(entries)
  for (let document = 0; document < order.length; document++) {
    const { stream, from, to } = places(order[document] ?? 0)
    for (let entry = from; entry < to; entry++) {
      const term = stream.terms[entry] ?? 0
      const into = next[term] ?? 0
      next[term] = into + 1
      documents[into] = document
      counts[into] = stream.counts[entry] ?? 0
    }
  }
  return { starts, documents, counts }
}
