import type { MailContext } from './own-words.ts'

/** Lines over which a program may break the line that says whose words follow. */
const ATTRIBUTION_LINES_MAX = 3

/**
 * Lines without the marked ones (`>`) and the line above them that says whose words they are. In a message that answers nothing,
 * only such that have that line: others may be anything, a poem or a log.
 */
export function withoutQuotes(lines: readonly string[], { isReply }: MailContext): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (!isMarked(line)) {
      kept.push(line)
      at += 1
      continue
    }
    const end = endOfQuote(lines, at)
    const attribution = attributionBefore(kept)
    if (attribution > 0) kept.length -= attribution
    if (attribution === 0 && !isReply) kept.push(...lines.slice(at, end))
    at = end
  }
  return isReply ? withoutUnmarked(kept) : kept
}

/** Old mail stores put the sign before a line that begins with `From`. */
function isMarked(line: string): boolean {
  return /^\s{0,3}>(?!From )/.test(line)
}

/** Empty lines within a quote belong to it. */
function endOfQuote(lines: readonly string[], from: number): number {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isMarked(line)) end = at + 1
    else if (line.trim() !== '') break
  }
  return end
}

/**
 * How many of the last lines say whose words follow, empty ones below them included; 0 for none. Where one line has only an
 * address, or only a time, the lines above it may have the rest.
 */
function attributionBefore(lines: readonly string[]): number {
  let end = lines.length
  while (end > 0 && end > lines.length - 2 && lines[end - 1]?.trim() === '') end -= 1
  let found = 0
  for (let count = 1; count <= Math.min(ATTRIBUTION_LINES_MAX, end); count++) {
    if (lines[end - count]?.trim() === '') break
    const said = lines.slice(end - count, end).join(' ')
    const clues = cluesOf(said)
    if (clues === 2) return lines.length - end + count
    if (clues === 1 && found === 0) found = lines.length - end + count
  }
  return found
}

/** Of a line that ends in a colon, as `On … wrote:` does in any language: whether it has an address, and a time or date. */
function cluesOf(said: string): number {
  if (said.length > 600 || !/[:：]\s*$/.test(said)) return 0
  const isDated = TIME.test(said) || DATE.test(said)
  return (ADDRESS.test(said) ? 1 : 0) + (isDated ? 1 : 0)
}

const ADDRESS = /[^\s<>@]{1,64}@[^\s<>@]{1,190}/
/** A year, or a day in digits. */
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/
const TIME = /\b\d{1,2}[.:h]\d{2}\b/

/**
 * The same for programs that do not mark what they quote: such a line with address and time, and all that follows it.
 */
function withoutUnmarked(lines: readonly string[]): readonly string[] {
  for (const [at, line] of lines.entries()) {
    if (!/[:：]\s*$/.test(line)) continue
    for (const from of [at, at - 1].filter((one) => one >= 0)) {
      const said = lines.slice(from, at + 1).join(' ')
      if (/<[^\s<>@]+@[^\s<>@]+>/.test(said) && TIME.test(said) && cluesOf(said) === 2) return lines.slice(0, from)
    }
  }
  return lines
}
