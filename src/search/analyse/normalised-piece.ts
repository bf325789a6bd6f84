import { letters } from './letters.ts'

/** A text as the analyser compares it, with the way back: where its units came from, half-open, in the text as it was. */
export type NormalisedPiece = { text: string; startOf(unit: number): number; endOf(end: number): number }

/**
 * Normalises a piece (NFKC, lower case). Most pieces stay as long as they were, unit by unit. Others are taken letter by
 * letter, as readers see letters, for what is put together never reaches beyond one.
 */
export function normalisedPiece(piece: string): NormalisedPiece {
  const normal = piece.normalize('NFKC')
  const lower = normal.toLowerCase()
  if (normal === piece && lower.length === piece.length) {
    return { text: lower, startOf: (unit) => unit, endOf: (end) => end }
  }
  return byLetters(piece)
}

function byLetters(piece: string): NormalisedPiece {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const { segment, index } of letters().segment(piece)) {
    const normal = segment.normalize('NFKC').toLowerCase()
    text += normal
    for (let unit = 0; unit < normal.length; unit++) {
      starts.push(index)
      ends.push(index + segment.length)
    }
  }
  return { text, startOf: (unit) => starts[unit] ?? piece.length, endOf: (end) => ends[end - 1] ?? 0 }
}
