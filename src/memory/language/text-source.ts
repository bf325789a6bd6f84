import type { MemoryRecord } from '../../contract/snapshot.ts'

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

/** The same of a record: what is extracted from it now is what will be extracted from its line. */
export function toTextSource({ text, at, undated, speaker, metadata }: MemoryRecord): TextSource {
  const title = metadata?.title
  return { text, at: undated ? undefined : at, speaker, title: typeof title === 'string' ? title : undefined }
}
