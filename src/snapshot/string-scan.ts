/** What `scanString` noticed on the way: kept across calls until the caller resets it. */
export const stringNotes = {
  /** Why the last string was refused. */
  fault: '',
  /** The last string has an escape. */
  escaped: false,
  /** Some string has a byte over 0x7F, so that the whole must be tested for being UTF-8. */
  wide: false,
  /** Some string is not written canonically. */
  loose: false
}

/**
 * Scans the JSON string that begins with the quote at `start`. Gives the position after its closing quote, or -1 with
 * the reason in `stringNotes.fault`. This loop is where most of the time of reading a snapshot goes.
 */
export function scanString(bytes: Buffer, start: number, limit: number): number {
  let high = 0
  let at = start + 1
  stringNotes.escaped = false
  while (at < limit) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      if (high > 0x7f) stringNotes.wide = true
      return at + 1
    }
    if (byte === BACKSLASH) {
      at = scanEscape(bytes, at, limit)
      if (at < 0) return -1
    } else if (byte < 0x20) return refuse('has a control character inside a string')
    else {
      high |= byte
      at++
    }
  }
  return refuse('ends inside a string')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

function refuse(reason: string): -1 {
  stringNotes.fault = reason
  return -1
}

/** Canonical escapes are the two-letter ones but `\/`, and `\u00xx` in lower case for the other control characters. */
function scanEscape(bytes: Buffer, at: number, limit: number): number {
  stringNotes.escaped = true
  const letter = at + 1 < limit ? String.fromCharCode(bytes[at + 1] as number) : ''
  if (letter !== 'u') {
    if (letter === '' || !'"\\/bfnrt'.includes(letter)) return refuse('has an unknown escape')
    if (letter === '/') stringNotes.loose = true
    return at + 2
  }
  const unit = hex4(bytes, at + 2, limit)
  if (unit < 0) return refuse('has an unknown escape')
  if (unit >= 0xdc00 && unit <= 0xdfff) return refuse('has a lone surrogate')
  if (!isCanonicalEscape(bytes, at, unit)) stringNotes.loose = true
  if (unit < 0xd800 || unit > 0xdbff) return at + 6
  const isPair = bytes[at + 6] === BACKSLASH && bytes[at + 7] === LETTER_U
  const second = isPair ? hex4(bytes, at + 8, limit) : -1
  return second >= 0xdc00 && second <= 0xdfff ? at + 12 : refuse('has a lone surrogate')
}

function isCanonicalEscape(bytes: Buffer, at: number, unit: number): boolean {
  const hasShortForm = unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13
  return unit < 0x20 && !hasShortForm && !/[A-F]/.test(bytes.toString('latin1', at + 4, at + 6))
}

function hex4(bytes: Buffer, from: number, limit: number): number {
  const digits = from + 4 <= limit ? bytes.toString('latin1', from, from + 4) : ''
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1
}
