/** What a partial response asks for: members, each with what is asked of it, or all of it. */
export type Mask = Map<string, Mask | 'all'>

/**
 * Reads `a,b/c,d(e,f)` (https://developers.google.com/workspace/drive/api/guides/fields-parameter); undefined where it is none.
 */
export function readMask(text: string): Mask | undefined {
  const words = text.match(/[A-Za-z0-9_*]+|[(),/]/g) ?? []
  if (words.length === 0 || words.join('') !== text.replaceAll(' ', '')) return undefined
  const reader = { words, at: 0 }
  const mask = readList(reader)
  return reader.at === words.length ? mask : undefined
}

/** The parts of a value that a mask names. */
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
