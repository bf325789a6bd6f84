import type { GivenFact, Metadata } from '../../contract/snapshot.ts'
import type { DocumentReader } from '../../documents/port/document-reader.ts'
import type { FileTree } from './file-tree.ts'
import type { ItemKind, LossReason } from './losses.ts'

/** A format of input: a table of facts, and a converter. */
export type Format = {
  facts: FormatFacts
  /**
   * Converts a tree to items, in an order that depends on the content only. It never throws for bad content: what it
   * cannot convert is an item that is left out.
   */
  convert(tree: FileTree, given: Given): AsyncIterable<Item>
}

export type FormatFacts = {
  /** The value of `--from`, and the first part of every conversation id. */
  id: string
  /** For messages, such as `a folder of Markdown notes`. */
  name: string
  /** Markers, any of which identifies the format. */
  markers: readonly Marker[]
  /**
   * Whether the format is general. A general format is chosen only if no other one fits, by the share of the files that
   * it reads.
   */
  general?: RegExp
  /**
   * What replaces its earlier text if it is imported again with another one: an item, which may be forgotten with
   * `--prune` once it is gone, or a message of a chat.
   */
  edits: 'items' | 'messages' | 'none'
}

/** A file that identifies a format: by its path and, if that is not enough, by all of the texts in its first bytes. */
export type Marker = { path: RegExp; head?: readonly RegExp[] }

/** Bytes of a file in which markers are looked for. */
export const HEAD_BYTES = 64 * 1024

/** The input of a converter besides the files. */
export type Given = {
  documents: DocumentReader
  /** The name of the user in sources that do not state it, from `--me`. */
  me: string | undefined
  /** The time zone of times without one, from `--tz`. */
  zone: string
  /** The members of JSON that are texts, from `--map`. */
  map?: FieldMap | undefined
  signal: AbortSignal
}

/** For each field of a message, the names of the members that lead to its value. `each` leads to the list of messages. */
export type FieldMap = { text: readonly string[] } & Partial<
  Record<'each' | 'speaker' | 'at' | 'conversation' | 'id' | 'title', readonly string[]>
>

/**
 * An item of the source, such as a message or a note. It is counted once: as taken, as merged (a duplicate of another
 * item), or as left out.
 */
export type Item = { kind: ItemKind; path: string } & (
  | {
      lines: readonly IngestLine[]
      /** The conversation whose earlier memories the lines replace, or the native id of their message; see `edits`. */
      replaces?: string
      /** When the text was last edited, as `at` of a line, if the source states it. */
      edited?: string
    }
  | { merged: true; count?: number }
  | { leftOut: LossReason; count?: number }
)

/** A line of a batch. */
export type IngestLine = {
  raw_text: string
  metadata: Metadata
  at?: string
  speaker?: string
  conversation: string
  position?: number
  given?: readonly GivenFact[]
}
