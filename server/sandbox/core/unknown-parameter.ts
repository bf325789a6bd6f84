import type { KnownParameters, UnknownParameter } from '../stand-in.ts'

type Given = { query: URLSearchParams; body: Uint8Array; type: string }

/** Returns the first parameter of the query or of the body that the operation does not have; undefined where it has all of them. */
export function unknownParameter(known: KnownParameters, given: Given): UnknownParameter | undefined {
  for (const [name, value] of given.query) if (!known.query.includes(name)) return { where: 'query', name, value }
  const { body } = known
  if (body === undefined) return undefined
  for (const [name, value] of bodyOf(given)) if (!body.includes(name)) return { where: 'body', name, value }
  return undefined
}

/** What is neither a form nor a JSON object has no parameters: the route says so. */
function bodyOf({ body, type }: Given): [name: string, value: unknown][] {
  if (body.length === 0) return []
  const text = new TextDecoder().decode(body)
  if (type.includes('application/x-www-form-urlencoded')) return [...new URLSearchParams(text)]
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  } catch {
    return []
  }
}
