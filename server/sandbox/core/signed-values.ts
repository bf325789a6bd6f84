import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Values that go out as text and come back: whoever has the secret can tell that they were given out here. */
export type SignedValues = {
  /** `kind` says what it is for: read as another kind it is nothing. */
  sign(kind: string, value: unknown): string
  /** Undefined where it was not signed here, or as another kind. */
  read(kind: string, text: string): unknown
}

/** Longer ones are not ours. */
const TEXT_LENGTH_MAX = 16_384

/** Signs with HMAC-SHA256. */
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
