import type { MemoryRecord } from '../../contract/snapshot.ts'

/** A text to be understood, with what is known about it. */
export type TextSource = {
  text: string
  /** The time of the text, UTC with milliseconds; undefined if unknown. Relative dates are resolved against it. */
  at: string | undefined
  /** The person that `I` refers to. */
  speaker: string | undefined
  /** The topic of the text, if its source states one. */
  title: string | undefined
}

/** Returns the text source of a record, so that storing it and reading its line extract the same. */
export function toTextSource({ text, at, undated, speaker, metadata }: MemoryRecord): TextSource {
  const title = metadata?.title
  return { text, at: undated ? undefined : at, speaker, title: typeof title === 'string' ? title : undefined }
}
