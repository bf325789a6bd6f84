import type { Metadata } from '../contract/snapshot.ts'
import { parseIsoTime } from './parse-iso-time.ts'

/** What is known about a text besides itself. `at` is undefined where nobody said. */
export type Fields = { at?: string | undefined } & Partial<
  Record<'speaker' | 'conversation', string | undefined> & Record<'position', number | undefined>
>

/**
 * The fields of a memory: those given beside its metadata, then those that metadata holds in the right type. Metadata is
 * arbitrary and kept word for word; what is of another type there is simply not read.
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
