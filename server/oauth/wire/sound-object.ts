/**
 * The object that bytes are the JSON of. Undefined where they are no UTF-8, no JSON, no object, or say something twice: of
 * two members with one name every reader believes another one.
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

/** Strings, the colon behind a name, and where objects begin and end, in a text that is known to be JSON. */
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
