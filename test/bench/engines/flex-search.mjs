import { Index } from 'flexsearch'
import { wordsOf } from './words-of.mjs'

/**
 * Creates a FlexSearch engine for whole words, with its default encoder or our terms. `suggest` accepts documents that
 * lack words of a query.
 */
export function flexSearch(analyse) {
  const options = { tokenize: 'strict', ...(analyse === undefined ? {} : { encode: (text) => analyse(text) }) }
  return {
    name: 'FlexSearch',
    async build(documents) {
      const index = new Index(options)
      for (const [id, document] of documents.entries()) index.add(id, wordsOf(document))
      return index
    },
    search: (index, query, { limit }) => index.search(query, { limit, suggest: true }),
    numberOf: (id) => id,
    bytes(index) {
      const parts = []
      index.export((key, data) => parts.push(`${key}\n${data ?? ''}\n`))
      return Buffer.from(parts.join(''))
    },
    async open(bytes) {
      const index = new Index(options)
      const parts = bytes.toString().split('\n')
      for (let at = 0; at + 1 < parts.length; at += 2) index.import(parts[at], parts[at + 1])
      return index
    }
  }
}
