/**
 * A part of a text that can be analysed on its own, half-open. `word`: ASCII letters and digits; `words`: with
 * apostrophes; `other`: anything.
 */
export type TextToken = { start: number; end: number; plain: 'word' | 'words' | 'other' }

/**
 * Splits a text at signs and spaces that are never part of a term. `onPiece` returns whether to continue. A single loop
 * over character codes takes milliseconds even for megabytes.
 */
export function walkTextTokens(text: string, onPiece: (piece: TextToken) => boolean): void {
  let at = 0
  while (at < text.length) {
    const first = classifyUnit(text.charCodeAt(at))
    if (first === CUT || first === QUOTE) {
      at++
      continue
    }
    let seen = 0
    let end = at
    for (let kind = first; kind !== CUT; kind = end < text.length ? classifyUnit(text.charCodeAt(end)) : CUT) {
      seen |= kind
      end++
    }
    const plain = seen === PLAIN ? 'word' : (seen & OTHER) === 0 ? 'words' : 'other'
    if (!onPiece({ start: at, end, plain })) return
    at = end
  }
}

/** Recognises signs and spaces that are never part of a term. Apostrophes join words and are excluded. */
export function isCut(unit: number): boolean {
  return classifyUnit(unit) === CUT
}

const PLAIN = 1
const QUOTE = 2
const OTHER = 4
const CUT = 8

/** Spaces, dashes, quotes, full stops and brackets, without possible apostrophes and joiners. */
const CUTS: readonly [number, number][] = [
  [0x00a0, 0x00a0],
  [0x2000, 0x200a],
  [0x2010, 0x2018],
  [0x201a, 0x2029],
  [0x2030, 0x205f],
  [0x3000, 0x3003],
  [0x3008, 0x3011],
  [0x3014, 0x301f],
  [0xff01, 0xff06],
  [0xff08, 0xff0f],
  [0xff1a, 0xff20]
]

/** By character code: ASCII, then general punctuation, then Chinese and Japanese punctuation. */
const KINDS = buildKinds()

function classifyUnit(code: number): number {
  return KINDS[code] ?? OTHER
}

function buildKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000).fill(OTHER)
  for (let code = 0; code < 128; code++) kinds[code] = /[a-z0-9]/i.test(String.fromCharCode(code)) ? PLAIN : CUT
  kinds[0x27] = QUOTE
  for (const [first, last] of CUTS) kinds.fill(CUT, first, last + 1)
  return kinds
}
