import Database from 'libsql'
import { wordsOf } from './words-of.mjs'

/**
 * Creates an engine of SQLite's FTS5 with its Porter stemmer, or with our terms instead of its own. Our terms are
 * stored as hex, so that its tokenizer keeps each one whole. A query finds what has any of its words.
 */
export function fts5(analyse) {
  const encode = (term) => `x${Buffer.from(term).toString('hex')}`
  const words = (text) => (analyse === undefined ? (text.match(WORD) ?? []) : analyse(text).map(encode))
  return {
    name: 'SQLite FTS5',
    async build(documents) {
      const database = new Database(':memory:')
      database.exec(
        `create virtual table texts using fts5(words, tokenize = '${analyse ? 'ascii' : 'porter unicode61'}')`
      )
      const insert = database.prepare('insert into texts(rowid, words) values (?, ?)')
      for (const [id, document] of documents.entries()) insert.run(id, words(wordsOf(document)).join(' '))
      return database
    },
    search(database, query, { limit }) {
      const asked = [...new Set(words(query))].map((word) => `"${word}"`)
      if (asked.length === 0) return []
      const select = 'select rowid as id from texts where texts match ? order by rank limit ?'
      return database.prepare(select).all(asked.join(' OR '), limit)
    },
    numberOf: ({ id }) => id
  }
}

const WORD = /[\p{L}\p{N}]+/gu
