/** The package ships no types. */
declare module 'wink-porter2-stemmer' {
  /** Returns the Porter2 stem of a lower-case English word. */
  export default function stem(word: string): string
}
