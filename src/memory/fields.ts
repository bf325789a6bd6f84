import type { Metadata } from '../contract/snapshot.ts'
import { parseIsoTime } from './parse-iso-time.ts'

/** What is known about a text besides its content. `at` is undefined if the time is unknown. */
export type Fields = { at?: string | undefined } & Partial<
  Record<'speaker' | 'conversation', string | undefined> & Record<'position', number | undefined>
>

/**
 * Returns the fields of a memory: the given ones first, then those that the metadata holds in the right type. Metadata
 * is arbitrary and kept unchanged; values of another type are ignored.
 */
export function resolveFields(given: Fields, metadata: Metadata | undefined): Fields {
  return {
    at: given.at ?? (typeof metadata?.at === 'string' ? parseIsoTime(metadata.at) : undefined),
    speaker: given.speaker ?? readText(metadata, 'speaker'),
    conversation: given.conversation ?? readText(metadata, 'conversation'),
    position: given.position ?? readPosition(metadata)
  }
}

function readText(metadata: Metadata | undefined, name: string): string | undefined {
  const value = metadata?.[name]
  return typeof value === 'string' ? value : undefined
}

function readPosition(metadata: Metadata | undefined): number | undefined {
  const value = metadata?.position
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** Returns the object in `metadata.source` with which imports and connections state where a memory comes from, if any. */
export function findSource(metadata: Metadata | undefined): Metadata | undefined {
  const source = metadata?.source
  return typeof source === 'object' && source !== null && !Array.isArray(source) ? source : undefined
}
