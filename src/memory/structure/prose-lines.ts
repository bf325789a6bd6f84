import type { ProseBlock } from './block.ts'

/**
 * Whether a line goes on with the prose above it, no blank line between: a paragraph broken at the margin does, a line of
 * its own after a short or finished one does not.
 */
export function continuesProse(text: string, above: ProseBlock, start: number): boolean {
  if (above.speaker !== undefined) return false
  const from = Math.max(above.start, text.lastIndexOf('\n', above.end - 1) + 1)
  const size = above.end - from
  if (!OPENS_LINE.test(text.slice(start, start + 2))) return true
  if (ENDS_SENTENCE.test(text.slice(Math.max(from, above.end - 2), above.end))) return size > MARGIN_UNITS
  return size > MARGIN_UNITS || ENDS_OPEN.test(text.slice(Math.max(from, above.end - 12), above.end))
}

/** Lines that were broken at a margin are longer than this. */
const MARGIN_UNITS = 48

const OPENS_LINE = /^["'“„«‘(¿¡*_-]?[\p{Lu}\p{N}\p{Lo}\p{Extended_Pictographic}]/u
const ENDS_SENTENCE = /[.!?…。！？]["'”’)]?$/

/** A comma, or a word that no sentence ends with. */
const ENDS_OPEN =
  /[,–—-]$|(?:^|[\s(])(?:a|an|the|of|in|on|at|by|for|to|with|from|and|or|my|our|your|his|her|their|is|are|was)$/i
