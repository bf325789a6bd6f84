/** Overlapping pairs of a run of Han, kana or Hangul, in which words have no edges; a single character stands alone. */
export function pairTerms(run: string, terms: string[]): void {
  let before = ''
  let pairs = 0
  for (const character of run) {
    if (/[\p{M}]/u.test(character)) continue
    if (before !== '') {
      terms.push(before + character)
      pairs++
    }
    before = character
  }
  if (pairs === 0 && before !== '') terms.push(before)
}

/** Words of a run of Thai, Lao, Khmer or Myanmar, found by dictionary. Long runs are looked at in pieces. */
export function dictionaryTerms(run: string, terms: string[]): void {
  for (let start = 0; start < run.length; start += PIECE_UNITS) {
    const piece = run.slice(start, start + PIECE_UNITS)
    const before = terms.length
    for (const { segment, isWordLike } of segmenter().segment(piece)) if (isWordLike) terms.push(segment)
    if (terms.length === before) terms.push(piece)
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
