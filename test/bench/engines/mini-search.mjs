import MiniSearch from 'minisearch'
import { wordsOf } from './words-of.mjs'

/** Creates a MiniSearch engine with all defaults (BM25+), or with our terms instead of its own. */
export function miniSearch(analyse) {
  const options = {
    fields: ['words'],
    ...(analyse === undefined ? {} : { tokenize: (text) => analyse(text), processTerm: (term) => term })
  }
  return {
    name: 'MiniSearch',
    async build(documents) {
      const index = new MiniSearch(options)
      for (const [id, document] of documents.entries()) index.add({ id, words: wordsOf(document) })
      return index
    },
    search: (index, query, { limit }) => index.search(query).slice(0, limit),
    numberOf: ({ id }) => id,
    bytes: (index) => Buffer.from(JSON.stringify(index)),
    open: async (bytes) => MiniSearch.loadJSON(bytes.toString(), options)
  }
}
