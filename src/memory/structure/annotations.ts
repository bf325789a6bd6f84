/** A remark of a program in square brackets, `[image: a dog on a beach]`. Offsets are UTF-16 code units of the whole text. */
export type Annotation = { start: number; end: number; label: string; content: { start: number; end: number } }

/** Annotations of a stretch of text, in its order. They are nobody's sentences: what a picture shows is not what is said. */
export function annotationsIn(text: string, from: number, to: number): Annotation[] {
  const found: Annotation[] = []
  PATTERN.lastIndex = from
  for (let match = PATTERN.exec(text); match !== null && match.index < to; match = PATTERN.exec(text)) {
    const [whole, label = '', content = ''] = match
    const end = match.index + whole.length
    if (end > to) break
    found.push({
      start: match.index,
      end,
      label: label.toLowerCase(),
      content: { start: end - 1 - content.length, end: end - 1 }
    })
  }
  return found
}

/** What may stand before the colon; the rest runs to the bracket, at most so far. */
const PATTERN =
  /\[(image|picture|photo|gif|video|audio|voice message|sticker|file|attachment|link): ?([^[\]\n]{1,2000})\]/gi
