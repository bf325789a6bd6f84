/**
 * Parses bytes as a JSON object. Returns undefined if they are not UTF-8, JSON or an object, or if a name occurs twice,
 * because readers differ on which of the two members counts.
 */
export function soundObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = DECODER.decode(bytes)
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !saysTwice(text) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true })

/** Matches strings, the colon after a name, and the braces of objects, in a text that is known to be JSON. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

function saysTwice(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (text !== undefined && colon !== undefined) {
      const name = String(JSON.parse(text))
      const names = open.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
