/** What the other engines index of a document, in one field: all words that ours has of it, who said it among them. */
export function wordsOf({ text, title, speaker }) {
  return [speaker, text, title].filter((part) => part !== undefined).join('\n')
}
