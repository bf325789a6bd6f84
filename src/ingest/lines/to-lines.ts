import type { Metadata } from '../../contract/snapshot.ts'
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
