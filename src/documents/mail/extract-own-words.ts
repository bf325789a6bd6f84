/*
 * Not a library: on the 23 tests of this file, email-reply-parser 2.3 fails 10 and planer 1.2 fails 13, mostly attributions
 * and headers in other languages. What counts as a quote also decides the text and the id of a memory, so it must not
 * change with the release of a package.
 */

/** The facts about a message besides its text. `isReply`: it names messages that it answers. */
type MailContext = { subject: string; isReply: boolean }

/**
 * Extracts the words that the sender of a message wrote: removes the messages that it answers, which are messages of their own, and the
 * signature. Quotes that are answered beneath and forwarded messages are kept. If nothing would be left, all of the text is kept.
 */
export function extractOwnWords(text: string, context: MailContext): string {
  const lines = text.split('\n')
  const own = removeQuotes(removeHeaderBlock(removeSignature(lines), context), context)
  const left = own
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return left === '' ? text.trim() : left
}

/** A longer text after `--` is not a signature. */
const LINES_MAX = 30
const LENGTH_MAX = 2000

/**
 * Removes the signature: the lines after a line of two dashes and a space (RFC 3676 section 4.3), up to the end or to a forwarded
 * message. Programs that trim lines leave only the dashes.
 */
function removeSignature(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => line === '-- ' || line === '--')
  if (begin === -1) return lines
  const rest = lines.slice(begin + 1)
  const forwarded = rest.findIndex(isRule)
  const length = forwarded === -1 ? rest.length : forwarded
  const tail = rest.slice(0, length)
  if (length > LINES_MAX || tail.join('\n').length > LENGTH_MAX) return lines
  return [...lines.slice(0, begin), ...rest.slice(length)]
}

/** Whether mail programs draw such a line above another message: dashes with words between them, or only underscores. */
export function isRule(line: string): boolean {
  return /^\s*-{3,}[^-]{1,80}-{3,}\s*$/.test(line) || /^\s*_{10,}\s*$/.test(line)
}

/** Limits of the lines of a header block above a quoted message. */
const BLOCK_LINES_MIN = 3
const BLOCK_LINES_MAX = 10

/**
 * Removes the answered message that Outlook and others put, unmarked, below a reply, with its headers. The header block is recognized
 * by its form, in any language: `Word: value` line by line, one value being the subject of this message, and one a date with its year.
 */
function removeHeaderBlock(lines: readonly string[], { subject, isReply }: MailContext): readonly string[] {
  const base = stripReplyPrefixes(subject)
  if (!isReply || base === '' || FORWARDED_SUBJECT.test(subject)) return lines
  const begin = lines.findIndex((_, at) => isBlock(lines, at, base))
  if (begin === -1) return lines
  let end = begin
  while (end > 0 && isBorder(lines[end - 1] ?? '')) end -= 1
  return lines.slice(0, end)
}

/** Prefixes that mail programs of several languages put before the subject of a forwarded message. Such messages are kept. */
export const FORWARDED_SUBJECT = /^\s*(?:fwd?|wg|tr|rv|enc|vb|vs|pd|i|doorst)\s*:/i

/** Removes the prefixes of replies from a subject: a few letters, perhaps a count, and a colon. */
function stripReplyPrefixes(subject: string): string {
  return subject
    .slice(0, 1000)
    .replace(/^(?:\s*[^\s:]{1,6}(?:\[\d{1,3}\])?\s?:)+/, '')
    .trim()
    .toLowerCase()
}

/** `Word: value`, also with the marks of bold text. */
export const LABELLED = /^\s*[*_]{0,2}([^\s:<>][^:<>]{0,39}?)\s?:[*_]{0,2}\s*(\S.*)$/

function isBlock(lines: readonly string[], at: number, base: string): boolean {
  if (!LABELLED.test(lines[at] ?? '')) return false
  const values: string[] = []
  for (const line of lines.slice(at, at + BLOCK_LINES_MAX)) {
    const value = LABELLED.exec(line)?.[2]
    if (value === undefined) break
    values.push(value.replace(/^[*_]+\s*/, '').toLowerCase())
  }
  return (
    values.length >= BLOCK_LINES_MIN &&
    values.some((value) => stripReplyPrefixes(value) === base) &&
    values.some((value) => /\b(?:19|20)\d\d\b/.test(value))
  )
}

function isBorder(line: string): boolean {
  return line.trim() === '' || isRule(line) || /^\s*[-_*]{5,}\s*$/.test(line)
}

/** The attribution, such as `On … wrote:`, may be broken over this many lines. */
const ATTRIBUTION_LINES_MAX = 3

/** The last lines of a quote that is answered beneath. Programs quote whole messages. */
const ANSWERED_LINES_MAX = 10

/**
 * Removes the lines marked with `>`, and the attribution above them. In a message that is not a reply, only those that have an
 * attribution: others may be anything, a poem or a log. A reply that answers quotes beneath them keeps their last lines with the
 * attribution.
 */
function removeQuotes(lines: readonly string[], { isReply }: MailContext): readonly string[] {
  if (isReply && answersBeneath(lines)) return keepAnsweredQuotes(lines)
  const kept: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (!isMarked(line)) {
      kept.push(line)
      at += 1
      continue
    }
    const end = findQuoteEnd(lines, at)
    const attribution = countAttributionLines(kept)
    if (attribution > 0) kept.length -= attribution
    if (attribution === 0 && !isReply) kept.push(...lines.slice(at, end))
    at = end
  }
  return isReply ? removeUnmarkedQuote(kept) : kept
}

/**
 * Reports whether a reply answers quotes beneath them: two of them, or its only quote, which it begins with. Words below the only
 * quote of another reply may be a footer.
 */
function answersBeneath(lines: readonly string[]): boolean {
  const quotes = listQuotes(lines)
  const [first] = quotes
  if (first === undefined) return false
  const answered = quotes.filter(({ isAnswered }) => isAnswered)
  const above = lines.slice(0, first.start)
  const isTop = above.length === countAttributionLines(above) || above.every((line) => line.trim() === '')
  return answered.length > 1 || (answered.length === 1 && quotes.length === 1 && isTop)
}

type QuoteRun = { start: number; end: number; isAnswered: boolean }

/** Lists the runs of marked lines, and whether words follow before the next one, besides its attribution. */
function listQuotes(lines: readonly string[]): QuoteRun[] {
  const quotes: QuoteRun[] = []
  for (let at = 0; at < lines.length; at++) {
    if (!isMarked(lines[at] ?? '')) continue
    const end = findQuoteEnd(lines, at)
    quotes.push({ start: at, end, isAnswered: false })
    at = end - 1
  }
  return quotes.map((quote, place) => {
    const between = lines.slice(quote.end, quotes[place + 1]?.start)
    const words =
      place + 1 < quotes.length ? between.slice(0, between.length - countAttributionLines(between)) : between
    return { ...quote, isAnswered: words.some((line) => line.trim() !== '') }
  })
}

function keepAnsweredQuotes(lines: readonly string[]): readonly string[] {
  const kept: string[] = []
  let at = 0
  for (const { start, end, isAnswered } of listQuotes(lines)) {
    kept.push(...lines.slice(at, start))
    const quoted = lines.slice(start, end).filter((line) => /[^>\s]/.test(line))
    if (isAnswered) kept.push(...quoted.slice(-ANSWERED_LINES_MAX))
    else kept.length -= countAttributionLines(kept)
    at = end
  }
  return [...kept, ...lines.slice(at)]
}

/** Whether a line is marked as a quote. Old mail stores put `>` before a line that begins with `From`. */
function isMarked(line: string): boolean {
  return /^\s{0,3}>(?!From )/.test(line)
}

/** Empty lines within a quote belong to it. */
function findQuoteEnd(lines: readonly string[], from: number): number {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isMarked(line)) end = at + 1
    else if (line.trim() !== '') break
  }
  return end
}

/**
 * Counts the lines of the attribution at the end, with empty lines below it; 0 if there is none. If one line has only an address,
 * or only a time, the lines above it may have the rest.
 */
function countAttributionLines(lines: readonly string[]): number {
  let end = lines.length
  while (end > 0 && end > lines.length - 2 && lines[end - 1]?.trim() === '') end -= 1
  let found = 0
  for (let count = 1; count <= Math.min(ATTRIBUTION_LINES_MAX, end); count++) {
    if (lines[end - count]?.trim() === '') break
    const said = lines.slice(end - count, end).join(' ')
    const clues = countClues(said)
    if (clues === 2) return lines.length - end + count
    if (clues === 1 && found === 0) found = lines.length - end + count
  }
  return found
}

/** Counts what a line that ends in a colon has of an attribution, as `On … wrote:` in any language: an address, and a time or date. */
function countClues(said: string): number {
  if (said.length > 600 || !/[:：]\s*$/.test(said)) return 0
  const isDated = TIME.test(said) || DATE.test(said)
  return (ADDRESS.test(said) ? 1 : 0) + (isDated ? 1 : 0)
}

const ADDRESS = /[^\s<>@]{1,64}@[^\s<>@]{1,190}/

/** A year, or a day in digits. */
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/
const TIME = /\b\d{1,2}[.:h]\d{2}\b/

/**
 * Removes the quote of a program that does not mark it: an attribution with address and time, and all that follows it.
 */
function removeUnmarkedQuote(lines: readonly string[]): readonly string[] {
  for (const [at, line] of lines.entries()) {
    if (!/[:：]\s*$/.test(line)) continue
    for (const from of [at, at - 1].filter((one) => one >= 0)) {
      const said = lines.slice(from, at + 1).join(' ')
      if (/<[^\s<>@]+@[^\s<>@]+>/.test(said) && TIME.test(said) && countClues(said) === 2) return lines.slice(0, from)
    }
  }
  return lines
}
