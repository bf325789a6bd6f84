/**
 * Returns the text of a document that the other engines index, in one field: all words that our engine indexes,
 * including the speaker.
 */
export function wordsOf({ text, title, speaker }) {
  return [speaker, text, title].filter((part) => part !== undefined).join('\n')
}
