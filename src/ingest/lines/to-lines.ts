import type { GivenFact, Metadata } from '../../contract/snapshot.ts'
import { draftMemories, type TextItem } from '../../documents/chunking/draft-memories.ts'
import type { IngestLine } from '../port/format.ts'

/** The source of an item. `id` is its native id, which stays the same in a newer export. */
export type Origin = {
  format: string
  id: string
  path: string
  /**
   * The first part of the conversation id, if it is not the format: mail and documents that a connector also reads take
   * the connector's, so that both give the same memory ids.
   */
  namespace?: string
  /** Further metadata of all lines of the item, such as tags. */
  more?: Metadata
}

/** Converts an item to batch lines, chunked by the same code as the items of connectors. */
export function toLines(item: TextItem, { format, id, path, namespace = format, more }: Origin): IngestLine[] {
  const lines: IngestLine[] = []
  for (const { text, metadata } of draftMemories(item, { source: namespace })) {
    const { source: _source, item: _item, conversation, speaker, at, position, ...names } = metadata
    lines.push({
      raw_text: text,
      conversation: String(conversation),
      ...(typeof speaker === 'string' && { speaker }),
      ...(typeof at === 'string' && { at }),
      ...(typeof position === 'number' && { position }),
      metadata: { source: { format, id, path }, ...names, ...more }
    })
  }
  return lines
}

type FactOrigin = {
  format: string
  /** The native id, which is also that of the conversation. */
  id: string
  path: string
  title?: string | undefined
  /** The fact of which the text is a sentence. */
  given?: GivenFact
}

/** Creates the line of a fact that another memory tool states. */
export function toFactLine(text: string, { format, id, path, title, given }: FactOrigin): IngestLine {
  return {
    raw_text: text.slice(0, TEXT_UNITS_MAX).trim(),
    conversation: `${format}:${id.slice(0, ID_UNITS_MAX)}`,
    ...(given !== undefined && { given: [given] }),
    metadata: { source: { format, id: id.slice(0, ID_UNITS_MAX), path }, ...(title !== undefined && { title }) }
  }
}

/** Longer texts of another memory tool are cut, in UTF-16 code units. */
const TEXT_UNITS_MAX = 100_000
const ID_UNITS_MAX = 1024
