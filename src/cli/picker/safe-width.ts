type Width = (text: string) => number

/**
 * The width that no terminal goes beyond: signs that are joined into one (families, flags) are drawn one by one where a
 * terminal does not know how to join them.
 */
export function safeWidth(width: Width): Width {
  return (text) => {
    if (/^[\x20-\x7e]*$/.test(text)) return text.length
    return Math.max(width(text), widthOfEach(text, width))
  }
}

/** The end of a text that fits the columns, and has no more characters than there are columns. */
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
