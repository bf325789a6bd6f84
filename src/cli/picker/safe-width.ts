type Width = (text: string) => number

/**
 * Returns a width function for the worst case: terminals that cannot join characters (families, flags) draw them one after the
 * other.
 */
export function safeWidth(width: Width): Width {
  return (text) => {
    if (/^[\x20-\x7e]*$/.test(text)) return text.length
    return Math.max(width(text), widthOfEach(text, width))
  }
}

/** Returns the longest end of a text whose width and number of characters do not exceed the columns. */
export function fitTail(text: string, columns: number, width: Width): string {
  const letters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)
  let tail = ''
  for (const letter of letters.reverse()) {
    const longer = letter + tail
    if (longer.length > columns || width(longer) > columns) break
    tail = longer
  }
  return tail
}

function widthOfEach(text: string, width: Width): number {
  let sum = 0
  for (const sign of text) sum += width(sign)
  return sum
}
