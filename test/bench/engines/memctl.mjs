/** Where a document would stand in a snapshot: any place of its own will do. */
const LINE_BYTES = 1000

/** Ours. Documents are those that the index takes in; `numbered` ones can be told by their hits. */
export function memctl({ createIndex, openIndex, assets }) {
  return {
    name: 'memctl',
    async build(documents) {
      const index = await createIndex(assets)
      for (const document of documents) index.add(document)
      index.commit()
      return index
    },
    /** With the documents that it is of, their texts can be read as a device reads them from its file. */
    search: (index, query, { limit, documents }) =>
      index.search(query, { limit, textOf: documents && (({ offset }) => documents[offset / LINE_BYTES].text) }),
    numberOf: ({ offset }) => offset / LINE_BYTES,
    bytes: (index) => index.toBytes(),
    open: (bytes) => openIndex(assets, bytes)
  }
}

/** A document with its number in its place. */
export function numbered(document, number) {
  return { ...document, offset: number * LINE_BYTES, length: LINE_BYTES - 1 }
}
