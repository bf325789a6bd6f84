/**
 * A line as words, split at spaces. Quotes of either kind keep what is between them together; nothing else has a meaning.
 * Undefined where a quote is never closed.
 */
export function splitWords(line: string): string[] | undefined {
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
