import type { FactRecord } from '../../contract/snapshot.ts'
import type { Block } from './block.ts'
import { isKnownKey } from './judge-fields.ts'
import { makeFact } from './make-fact.ts'

/** A paragraph, by its place among the blocks, and the topic that its heading stands under. */
export type Titled = { at: number; topic: string | undefined }

/** "# Boat shed" over "## Address" over a lone "Pier 4" is (Boat shed, address, Pier 4). */
export function headingFact(text: string, blocks: readonly Block[], { at, topic }: Titled): FactRecord[] {
  const [heading, value, below] = [blocks[at - 1], blocks[at], blocks[at + 1]]
  if (heading?.kind !== 'heading' || value?.kind !== 'prose' || topic === undefined) return []
  if (below !== undefined && below.kind !== 'heading') return []
  const predicate = text.slice(heading.content.start, heading.content.end)
  const words = text.slice(value.start, Math.min(value.end, value.start + VALUE_UNITS_MAX + 1))
  if (!isKnownKey(predicate) || words.length > VALUE_UNITS_MAX || /[.!?。！？\n]/.test(words)) return []
  const fact = makeFact({ subject: topic, predicate, value: words, rule: 'heading.value', span: value })
  return fact === undefined || topic === predicate ? [] : [fact]
}

const VALUE_UNITS_MAX = 100
