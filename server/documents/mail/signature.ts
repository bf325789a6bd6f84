/** A signature of more than that is none: who writes `--` before half a page means something else. */
const LINES_MAX = 30
const LENGTH_MAX = 2000

/**
 * Lines without the signature: what stands behind a line of two dashes and a space (RFC 3676 section 4.3), up to the end or to a
 * message that is passed on below it. Programs that trim lines leave only the dashes.
 */
export function withoutSignature(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => line === '-- ' || line === '--')
  if (begin === -1) return lines
  const rest = lines.slice(begin + 1)
  const passedOn = rest.findIndex(isRule)
  const length = passedOn === -1 ? rest.length : passedOn
  const tail = rest.slice(0, length)
  if (length > LINES_MAX || tail.join('\n').length > LENGTH_MAX) return lines
  return [...lines.slice(0, begin), ...rest.slice(length)]
}

/** A line that mail programs draw above another message: dashes with words between them, or nothing but underscores. */
export function isRule(line: string): boolean {
  return /^\s*-{3,}[^-]{1,80}-{3,}\s*$/.test(line) || /^\s*_{10,}\s*$/.test(line)
}
