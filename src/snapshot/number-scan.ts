/** A JSON number in place: where it ends, whether a double keeps its value, whether it is written canonically. */
export type NumberScan = { fault: string | undefined; canonical: boolean; end: number }

/** Scans the number that begins at `start`. The result is one object, used again by the next call. */
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
  } else scanLong(bytes, start, limit)
  return result
}

const result: NumberScan = { fault: undefined, canonical: true, end: 0 }

/** Every integer of so many digits is a double, and prints as itself. */
const SAFE_DIGITS = 15

const GRAMMAR = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Longer than any number that a double can hold exactly needs to be written. */
const NUMBER_BYTES_MAX = 1200

function scanLong(bytes: Buffer, start: number, limit: number): void {
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
  else if (!result.canonical && !isExact(text, value)) {
    result.fault = 'has a number that a double cannot hold (write it as a string)'
  }
}

/**
 * Whether the text is a decimal form of the double that it is read as: the shortest one, or one with 17 digits or more,
 * as many programs print doubles.
 */
function isExact(text: string, value: number): boolean {
  if (decimal(text) === decimal(String(value))) return true
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/^[-0.]+/, '')
    .replace('.', '').length
  return digits >= 17 && digits <= 100 && decimal(text) === decimal(value.toPrecision(digits))
}

/** A decimal's digits and exponent, written one way: `1.50e3` and `1500` give the same. */
function decimal(text: string): string {
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
