import type { Block } from '../../../src/memory/structure/block.ts'
import { readBlocks } from '../../../src/memory/structure/read-blocks.ts'

/** Formats blocks as lines for comparison: kind, other properties, and the text. */
export function outline(text: string): string[] {
  return readBlocks(text).map((block) => `${block.kind}${detail(text, block)}`)
}

function detail(text: string, block: Block): string {
  const words = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
  switch (block.kind) {
    case 'heading':
      return ` ${block.level}: ${words(block.content)}`
    case 'item':
      return ` ${block.depth} ${block.marker} ${words(block.content)}`
    case 'field':
      return ` ${block.form}: ${words(block.key)} = ${words(block.value)}`
    case 'row':
      return `: ${block.cells.map((cell) => `${cell.column}=${words(cell)}`).join(' ')}`
    case 'prose':
      return block.speaker === undefined ? `: ${words(block)}` : ` (${block.speaker}): ${words(block)}`
    case 'quote':
    case 'code':
      return `: ${words(block)}`
  }
}
