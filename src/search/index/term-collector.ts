import { growArray } from './document-table.ts'

/** Terms by number, shared by all streams of one write. */
export type Vocabulary = { numbers: Map<string, number>; names: string[] }

/** Creates an empty vocabulary. */
export function createVocabulary(): Vocabulary {
  return { numbers: new Map(), names: [] }
}

/** Returns the number of a term; a new term gets the next one. */
export function numberTerm(vocabulary: Vocabulary, term: string): number {
  const known = vocabulary.numbers.get(term)
  if (known !== undefined) return known
  vocabulary.numbers.set(term, vocabulary.names.length)
  return vocabulary.names.push(term) - 1
}

/** The terms of each document with their counts: document d owns entries `starts[d]` to `starts[d + 1]`. */
export type TermStream = { documents: number; starts: Uint32Array; terms: Uint32Array; counts: Uint8Array }

/** Counts are stored in a byte. Far below this limit they stop changing the ranking. */
const COUNT_MAX = 255

/** Collects documents into a stream, in constant time per term. */
export type TermCollector = { stream: TermStream; add(terms: readonly string[]): void }

/** Creates an empty collector that numbers terms with `vocabulary`. */
export function createTermCollector(vocabulary: Vocabulary): TermCollector {
  const stream: TermStream = {
    documents: 0,
    starts: new Uint32Array(64),
    terms: new Uint32Array(1024),
    counts: new Uint8Array(1024)
  }
  /** By term: the last document that has it, counted from 1, and its entry there. */
  let lastDocument: Uint32Array = new Uint32Array(1024)
  let lastEntry: Uint32Array = new Uint32Array(1024)
  return {
    stream,
    add(terms) {
      const document = stream.documents + 1
      let end = stream.starts[stream.documents] ?? 0
      stream.terms = growArray(stream.terms, end + terms.length)
      stream.counts = growArray(stream.counts, end + terms.length)
      lastDocument = growArray(lastDocument, vocabulary.names.length + terms.length)
      lastEntry = growArray(lastEntry, vocabulary.names.length + terms.length)
      for (const name of terms) {
        const term = numberTerm(vocabulary, name)
        if (lastDocument[term] === document) {
          raiseCount(stream.counts, lastEntry[term] ?? 0)
        } else {
          lastDocument[term] = document
          lastEntry[term] = end
          stream.terms[end] = term
          stream.counts[end++] = 1
        }
      }
      stream.starts = growArray(stream.starts, document + 1)
      stream.starts[document] = end
      stream.documents = document
    }
  }
}

function raiseCount(counts: Uint8Array, entry: number): void {
  const count = counts[entry] ?? 0
  if (count < COUNT_MAX) counts[entry] = count + 1
}

/** The documents of each term, ascending, with counts: term t owns entries `starts[t]` to `starts[t + 1]`. */
export type InvertedTerms = { starts: Uint32Array; documents: Uint32Array; counts: Uint8Array }

/**
 * Inverts streams. `order` lists the old rows (those of the first stream, then of the second, …) in their new order;
 * other rows are dropped. Two passes, without sorting.
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
  return fillTerms(places, order, starts)
}

type Place = { stream: TermStream; from: number; to: number }

/** Creates a function that returns the place of an old row's entries. It always returns the same object. */
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

function fillTerms(places: (row: number) => Place, order: Uint32Array, starts: Uint32Array): InvertedTerms {
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
