let shared: Intl.Segmenter | undefined

/** Cuts texts into letters as readers see them (graphemes). Made at first use: it takes milliseconds, and most texts never need it. */
export function letters(): Intl.Segmenter {
  shared ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return shared
}
