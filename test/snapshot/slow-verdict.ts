import { toCanonicalJson } from '../../src/snapshot/json/json.ts'

/**
 * Judges a line of JSON independently of the product: `JSON.parse` for the grammar, a strict decoder for UTF-8, and a
 * second pass over the text for keys, surrogates and numbers.
 */
export function slowVerdict(bytes: Uint8Array): { sound: boolean; canonical: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value = JSON.parse(text)
    const isSound = text.isWellFormed() && tokensAreSound(text)
    return { sound: isSound, canonical: isSound && text === toCanonicalJson(value) }
  } catch {
    return { sound: false, canonical: false }
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]/gs

/** Checks valid JSON for what JSON.parse accepts too leniently. */
function tokensAreSound(text: string): boolean {
  const open: (Set<string> | undefined)[] = []
  const tokens = text.match(TOKEN) ?? []
  return tokens.every((token, at) => {
    if (token === '{' || token === '[') return open.push(token === '{' ? new Set() : undefined) <= 64
    if (token === '}' || token === ']') open.pop()
    else if (token.startsWith('"'))
      return isSoundString(JSON.parse(token), tokens[at + 1] === ':' ? open.at(-1) : undefined)
    else if (/^[-\d]/.test(token)) return isDouble(token)
    return true
  })
}

function isSoundString(text: string, keys: Set<string> | undefined): boolean {
  if (!text.isWellFormed()) return false
  if (keys === undefined) return true
  if (text === '__proto__' || keys.has(text)) return false
  keys.add(text)
  return true
}

/** Compares the decimal with the double as fractions of integers, if it has fewer than 17 digits. */
function isDouble(token: string): boolean {
  const value = Number(token)
  if (!Number.isFinite(value) || token.length > 1200) return false
  const digits = significant(token).length
  const forms = [String(value), ...(digits >= 17 && digits <= 100 ? [value.toPrecision(digits)] : [])]
  return forms.some((form) => sameDecimal(token, form))
}

function significant(token: string): string {
  return token
    .replace(/[eE].*/, '')
    .replace('.', '')
    .replace(/^-?0*/, '')
}

function sameDecimal(a: string, b: string): boolean {
  const [x, y] = [scaled(a), scaled(b)]
  if (x.mantissa === 0n || y.mantissa === 0n) return x.mantissa === y.mantissa
  const power = Math.min(x.power, y.power)
  if (Math.max(x.power, y.power) - power > 5000) return false
  return x.mantissa * 10n ** BigInt(x.power - power) === y.mantissa * 10n ** BigInt(y.power - power)
}

function scaled(token: string): { mantissa: bigint; power: number } {
  const [number = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = number.split('.')
  return {
    mantissa: BigInt(whole.replace('-', '') + fraction) * (token.startsWith('-') ? -1n : 1n),
    power: Number(exponent) - fraction.length
  }
}
