import { withRoom } from './growing-array.ts'

/** Terms by number, shared by every stream of one piece of writing. */
export type Vocabulary = { numbers: Map<string, number>; names: string[] }

/** A vocabulary without terms. */
export function createVocabulary(): Vocabulary {
  return { numbers: new Map(), names: [] }
}

/** The number of a term, given at first sight. */
export function numberOfTerm(vocabulary: Vocabulary, term: string): number {
  const known = vocabulary.numbers.get(term)
  if (known !== undefined) return known
  vocabulary.numbers.set(term, vocabulary.names.length)
  return vocabulary.names.push(term) - 1
}

/** Which terms each document has and how often: document d owns entries `starts[d]` to `starts[d + 1]`. */
export type TermStream = { documents: number; starts: Uint32Array; terms: Uint32Array; counts: Uint8Array }

/** Counts are held in a byte: far beyond it they change no ranking. */
const COUNT_MAX = 255

/** Gathers documents into a stream, in constant time a term. */
export type TermCollector = { stream: TermStream; add(terms: readonly string[]): void }

/** A collector without documents that numbers terms by `vocabulary`. */
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
      stream.terms = withRoom(stream.terms, end + terms.length)
      stream.counts = withRoom(stream.counts, end + terms.length)
      lastDocument = withRoom(lastDocument, vocabulary.names.length + terms.length)
      lastEntry = withRoom(lastEntry, vocabulary.names.length + terms.length)
      for (const name of terms) {
        const term = numberOfTerm(vocabulary, name)
        if (lastDocument[term] === document) {
          raiseCount(stream.counts, lastEntry[term] ?? 0)
        } else {
          lastDocument[term] = document
          lastEntry[term] = end
          stream.terms[end] = term
          stream.counts[end++] = 1
        }
      }
      stream.starts = withRoom(stream.starts, document + 1)
      stream.starts[document] = end
      stream.documents = document
    }
  }
}

function raiseCount(counts: Uint8Array, entry: number): void {
  const count = counts[entry] ?? 0
  if (count < COUNT_MAX) counts[entry] = count + 1
}
