/** The selection of a partial response: members, each with its own selection or `all`. */
export type Mask = Map<string, Mask | 'all'>

/**
 * Parses `a,b/c,d(e,f)` (https://developers.google.com/workspace/drive/api/guides/fields-parameter), or returns
 * undefined if it is invalid.
 */
export function readMask(text: string): Mask | undefined {
  const words = text.match(/[A-Za-z0-9_*]+|[(),/]/g) ?? []
  if (words.length === 0 || words.join('') !== text.replaceAll(' ', '')) return undefined
  const reader = { words, at: 0 }
  const mask = readList(reader)
  return reader.at === words.length ? mask : undefined
}

/** Returns the parts of a value that a mask selects. */
export function applyMask(value: unknown, mask: Mask | 'all'): unknown {
  if (mask === 'all' || mask.has('*') || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => applyMask(item, mask))
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of mask) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) kept[name] = applyMask(member, inner)
  }
  return kept
}

type Reader = { words: string[]; at: number }

function readList(reader: Reader): Mask | undefined {
  const mask: Mask = new Map()
  for (;;) {
    const name = reader.words[reader.at] ?? ''
    if (!/^[\w*]+$/.test(name)) return undefined
    reader.at += 1
    const inner = readInner(reader)
    if (inner === undefined) return undefined
    mask.set(name, inner)
    if (reader.words[reader.at] !== ',') return mask
    reader.at += 1
  }
}

function readInner(reader: Reader): Mask | 'all' | undefined {
  const sign = reader.words[reader.at]
  if (sign !== '/' && sign !== '(') return 'all'
  reader.at += 1
  if (sign === '/') {
    const name = reader.words[reader.at] ?? ''
    reader.at += 1
    const inner = readInner(reader)
    return inner === undefined ? undefined : new Map([[name, inner]])
  }
  const inner = readList(reader)
  if (reader.words[reader.at] !== ')') return undefined
  reader.at += 1
  return inner
}
