/** Told of each term and of its place in the run, half-open. */
export type OnTerm = (term: string, start: number, end: number) => void

/** Overlapping pairs of a run of Han, kana or Hangul, in which words have no edges; a single character stands alone. */
export function pairTerms(run: string, onTerm: OnTerm): void {
  let before = ''
  let start = 0
  let pairs = 0
  let at = 0
  for (const character of run) {
    const here = at
    at += character.length
    if (MARK.test(character)) continue
    if (before !== '') {
      onTerm(before + character, start, at)
      pairs++
    }
    before = character
    start = here
  }
  if (pairs === 0 && before !== '') onTerm(before, start, at)
}

const MARK = /\p{M}/u

/** Words of a run of Thai, Lao, Khmer or Myanmar, found by dictionary. Long runs are looked at in pieces. */
export function dictionaryTerms(run: string, onTerm: OnTerm): void {
  for (let start = 0; start < run.length; start += PIECE_UNITS) {
    const piece = run.slice(start, start + PIECE_UNITS)
    let words = 0
    for (const { segment, index, isWordLike } of segmenter().segment(piece)) {
      if (isWordLike !== true) continue
      onTerm(segment, start + index, start + index + segment.length)
      words++
    }
    if (words === 0) onTerm(piece, start, start + piece.length)
  }
}

/** UTF-16 code units that the dictionary is given at a time. */
const PIECE_UNITS = 1024

let shared: Intl.Segmenter | undefined

/** Made at first use: it takes milliseconds, and most texts never need it. */
function segmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter('th', { granularity: 'word' })
  return shared
}
