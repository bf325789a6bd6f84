import { Buffer } from 'node:buffer'

/** A parameter of a structured header, also where it is in the form of RFC 2231; undefined where it is absent. */
export function parameterOf(header: string, name: string): string | undefined {
  const extended = new RegExp(`;\\s*${name}\\*=[\\w-]*'[^']*'([^;\\s]+)`, 'i').exec(header)?.[1]
  if (extended !== undefined) return percentDecoded(extended)
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header)
  return found?.[1] ?? found?.[2]
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A header with its encoded words read (RFC 2047), and 8-bit letters taken for UTF-8. */
export function decodedWords(text: string): string {
  const plain = textOf(Buffer.from(text, 'latin1'), 'utf-8')
  return plain
    .replace(/(=\?[\w-]+\?[bq]\?[^?\s]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?[\w-]+\?[bq]\?[^?\s]*\?=/gi, decodedWord)
}

function decodedWord(whole: string): string {
  const [, charset = '', way = '', word = ''] = whole.split('?')
  return textOf(/b/i.test(way) ? Buffer.from(word, 'base64') : unquoted(word.replaceAll('_', ' ')), charset)
}

/** The bytes of a body whose letters are bytes, its transfer encoding undone. */
export function decodedBody(body: string, encoding = ''): Uint8Array {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64')
  if (/quoted-printable/i.test(encoding)) return unquoted(body.replace(/[ \t]*=[ \t]*\r?\n/g, ''))
  return Buffer.from(body, 'latin1')
}

function unquoted(text: string): Buffer {
  const plain = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** Bytes as text; of a charset that nobody knows, as UTF-8. */
export function textOf(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
