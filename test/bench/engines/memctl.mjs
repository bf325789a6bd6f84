/** The space of a document in a simulated snapshot; any distinct place works. */
const LINE_BYTES = 1000

/** Creates our engine. It indexes the given documents; `numbered` ones are identified by their hits. */
export function memctl({ createIndex, openIndex, assets }) {
  return {
    name: 'memctl',
    async build(documents) {
      const index = await createIndex(assets)
      for (const document of documents) index.add(document)
      index.commit()
      return index
    },
    /** With their documents, texts can be read as a device reads them from its file. */
    search: (index, query, { limit, documents }) =>
      index.search(query, { limit, textOf: documents && (({ offset }) => documents[offset / LINE_BYTES].text) }),
    numberOf: ({ offset }) => offset / LINE_BYTES,
    bytes: (index) => index.toBytes(),
    open: (bytes) => openIndex(assets, bytes)
  }
}

/** Gives a document a place that encodes its number. */
export function numbered(document, number) {
  return { ...document, offset: number * LINE_BYTES, length: LINE_BYTES - 1 }
}
