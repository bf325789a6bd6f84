/** Findings of `scanString`, kept across calls until the caller resets them. */
export const stringNotes = {
  /** Why the last string was rejected. */
  fault: '',
  /** The last string has an escape. */
  escaped: false,
  /** Some string has a byte over 0x7F, so the whole must be checked for valid UTF-8. */
  wide: false,
  /** Some string is not written canonically. */
  loose: false
}

/**
 * Scans the JSON string that begins with the quote at `start`. Returns the position after its closing quote, or -1 with
 * the reason in `stringNotes.fault`. Reading a snapshot spends most of its time in this loop.
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
    } else if (byte < 0x20) return refuseString('has a control character inside a string')
    else {
      high |= byte
      at++
    }
  }
  return refuseString('ends inside a string')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

function refuseString(reason: string): -1 {
  stringNotes.fault = reason
  return -1
}

/**
 * The canonical escapes are the two-character ones except `\/`, and `\u00xx` in lower case for other control
 * characters.
 */
function scanEscape(bytes: Buffer, at: number, limit: number): number {
  stringNotes.escaped = true
  const letter = at + 1 < limit ? String.fromCharCode(bytes[at + 1] as number) : ''
  if (letter !== 'u') {
    if (letter === '' || !'"\\/bfnrt'.includes(letter)) return refuseString('has an unknown escape')
    if (letter === '/') stringNotes.loose = true
    return at + 2
  }
  const unit = parseHex4(bytes, at + 2, limit)
  if (unit < 0) return refuseString('has an unknown escape')
  if (unit >= 0xdc00 && unit <= 0xdfff) return refuseString('has a lone surrogate')
  if (!isCanonicalEscape(bytes, at, unit)) stringNotes.loose = true
  if (unit < 0xd800 || unit > 0xdbff) return at + 6
  const isPair = bytes[at + 6] === BACKSLASH && bytes[at + 7] === LETTER_U
  const second = isPair ? parseHex4(bytes, at + 8, limit) : -1
  return second >= 0xdc00 && second <= 0xdfff ? at + 12 : refuseString('has a lone surrogate')
}

function isCanonicalEscape(bytes: Buffer, at: number, unit: number): boolean {
  const hasShortForm = unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13
  return unit < 0x20 && !hasShortForm && !/[A-F]/.test(bytes.toString('latin1', at + 4, at + 6))
}

function parseHex4(bytes: Buffer, from: number, limit: number): number {
  const digits = from + 4 <= limit ? bytes.toString('latin1', from, from + 4) : ''
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1
}

/** A scanned JSON number: its end, whether a double keeps its value, and whether it is written canonically. */
type NumberScan = { fault: string | undefined; canonical: boolean; end: number }

/** Scans the number that begins at `start`. Always returns the same object, which the next call overwrites. */
export function scanNumber(bytes: Buffer, start: number, limit: number): NumberScan {
  let at = start
  if (bytes[at] === 0x2d) at++
  const first = at
  while (at < limit && isDigit(bytes[at])) at++
  const digits = at - first
  result.end = at
  result.fault = undefined
  result.canonical = true
  const next = at < limit ? bytes[at] : undefined
  if (digits === 0 || (digits > 1 && bytes[first] === 0x30)) result.fault = 'not JSON'
  else if (next !== 0x2e && next !== 0x65 && next !== 0x45 && digits <= SAFE_DIGITS) {
    result.canonical = bytes[first] !== 0x30 || first === start
  } else scanLongNumber(bytes, start, limit)
  return result
}

const result: NumberScan = { fault: undefined, canonical: true, end: 0 }

/** Every integer with up to this number of digits is a double and is printed unchanged. */
const SAFE_DIGITS = 15

const GRAMMAR = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Maximum length of a number, longer than the exact decimal form of any double. */
const NUMBER_BYTES_MAX = 1200

function scanLongNumber(bytes: Buffer, start: number, limit: number): void {
  let at = start
  while (at < limit && isNumberByte(bytes[at])) at++
  result.end = at
  if (at - start > NUMBER_BYTES_MAX) {
    result.fault = 'has a number that is too long'
    return
  }
  const text = bytes.toString('latin1', start, at)
  const value = Number(text)
  result.canonical = String(value) === text
  if (!GRAMMAR.test(text)) result.fault = 'not JSON'
  else if (!Number.isFinite(value)) result.fault = 'has a number that is not finite'
  else if (!result.canonical && !isExactDouble(text, value)) {
    result.fault = 'has a number that a double cannot hold (write it as a string)'
  }
}

/**
 * Checks whether the text is a decimal form of the double it parses to: the shortest one, or one with 17 or more
 * digits, as many programs print doubles.
 */
function isExactDouble(text: string, value: number): boolean {
  if (normalizeDecimal(text) === normalizeDecimal(String(value))) return true
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/^[-0.]+/, '')
    .replace('.', '').length
  return digits >= 17 && digits <= 100 && normalizeDecimal(text) === normalizeDecimal(value.toPrecision(digits))
}

/** Normalises the digits and exponent of a decimal, so that `1.50e3` and `1500` become equal. */
function normalizeDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isNumberByte(byte: number | undefined): boolean {
  return isDigit(byte) || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === 0x2d
}
