import type { Block, Range } from './block.ts'

/** What sentences are read from, in order: prose, and the texts of items. `speaker` where the text says whose words they are. */
export function proseRanges(blocks: readonly Block[]): (Range & { speaker?: string })[] {
  return blocks.flatMap((block): (Range & { speaker?: string })[] => {
    if (block.kind !== 'item' && block.kind !== 'prose') return []
    const { start, end } = block.kind === 'item' ? block.content : block
    const { speaker } = block
    return [speaker === undefined ? { start, end } : { start, end, speaker }]
  })
}
