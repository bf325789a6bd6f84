/** A text to be understood, and what is known about it. */
export type TextSource = {
  text: string
  /** When the source said it, UTC with milliseconds; undefined where nobody knows. Relative dates count from here. */
  at: string | undefined
  /** Who `I` is. */
  speaker: string | undefined
  /** What the text is about, where its source says so. */
  title: string | undefined
}
