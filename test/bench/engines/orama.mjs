import { create, insert, load, save, search } from '@orama/orama'
import { wordsOf } from './words-of.mjs'

/**
 * Creates an Orama engine (BM25) with its English stemmer, or with our terms. Its searches match all words that begin
 * with a query word, so our terms end with a mark to match only themselves. Each counts once per document, as with its
 * own tokenizer.
 */
export function orama(analyse) {
  const make = () =>
    create({
      schema: { words: 'string' },
      sort: { enabled: false },
      components: { tokenizer: analyse === undefined ? STEMMED : ours(analyse) }
    })
  return {
    name: 'Orama',
    async build(documents) {
      const index = make()
      for (const [number, document] of documents.entries()) {
        await insert(index, { id: String(number), words: wordsOf(document) })
      }
      return index
    },
    search: (index, query, { limit }) => search(index, { term: query, limit }).hits,
    numberOf: ({ id }) => Number(id),
    bytes: (index) => Buffer.from(JSON.stringify(save(index))),
    async open(bytes) {
      const index = make()
      load(index, JSON.parse(bytes.toString()))
      return index
    }
  }
}

const STEMMED = { language: 'english', stemming: true }

function ours(analyse) {
  const tokenize = (text) => [...new Set(analyse(text))].map((term) => `${term}\n`)
  return { language: 'english', normalizationCache: new Map(), tokenize }
}
