/**
 * Splits a command line at spaces. Quotes of either kind keep the text between them together; no other character has a
 * special meaning. Returns undefined if a quote is not closed.
 */
export function splitCommandLine(line: string): string[] | undefined {
  const parts = line.match(/"[^"]*"|'[^']*'|[^\s"']+|\s+|["']/g) ?? []
  const words: string[] = []
  let open = false
  for (const part of parts) {
    if (part === '"' || part === "'") return undefined
    const isSpace = /^\s/.test(part)
    if (!isSpace) {
      const text = /^["']/.test(part) ? part.slice(1, -1) : part
      if (open) words.push(`${words.pop() ?? ''}${text}`)
      else words.push(text)
    }
    open = !isSpace
  }
  return words
}
