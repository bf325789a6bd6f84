import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Values that are sent as signed text and returned. Only the owner of the secret can create them. */
export type SignedValues = {
  /** Signs a value. `kind` is its purpose; the text cannot be read as another kind. */
  sign(kind: string, value: unknown): string
  /** Reads a signed value, or returns undefined if the signature or the kind is wrong. */
  read(kind: string, text: string): unknown
}

/** Longer texts are invalid. */
const TEXT_LENGTH_MAX = 16_384

/** Creates values signed with HMAC-SHA256. */
export function createSignedValues(secret: Uint8Array): SignedValues {
  return { sign, read }

  function sign(kind: string, value: unknown): string {
    const content = Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${content}.${computeMac(kind, content).toString('base64url')}`
  }

  function read(kind: string, text: string): unknown {
    const [content, mac, more] = text.length > TEXT_LENGTH_MAX ? [] : text.split('.')
    if (content === undefined || mac === undefined || more !== undefined) return undefined
    const said = Buffer.from(mac, 'base64url')
    const right = computeMac(kind, content)
    if (said.length !== right.length || !timingSafeEqual(said, right)) return undefined
    return JSON.parse(Buffer.from(content, 'base64url').toString())
  }

  function computeMac(kind: string, content: string): Buffer {
    return createHmac('sha256', secret).update(`${kind}\n${content}`).digest()
  }
}
