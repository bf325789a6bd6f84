import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SandboxOAuth } from './sandbox-provider.ts'

/** The only OAuth client that the sandbox knows. */
export type Client = { id: string; secret: string }

const CLIENT_ID = 'memctl-sandbox'

/** Returns the client, which is the same in every sandbox with this secret. */
export function createClient(secret: Uint8Array): Client {
  return {
    id: CLIENT_ID,
    secret: `sandbox-${createHmac('sha256', secret).update('client').digest('hex').slice(0, 40)}`
  }
}

/**
 * Reports whether a request to the token endpoint authenticates the client with the method of this provider (RFC 6749
 * section 2.3.1).
 */
export function provesClient(client: Client, way: SandboxOAuth['clientAuthentication'], said: Said): boolean {
  const [id, secret] =
    way === 'basic' ? parseBasic(said.authorization) : [said.params.client_id, said.params.client_secret]
  return id === client.id && secret !== undefined && isSame(secret, client.secret)
}

type Said = { authorization: string | null; params: Readonly<Record<string, string>> }

function parseBasic(authorization: string | null): (string | undefined)[] {
  const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return []
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return [decodePlain(id), decodePlain(secret)]
}

/** Decodes a part of the credentials. Both are form-encoded, although not all clients do so. */
function decodePlain(encoded: string): string {
  return new URLSearchParams(`v=${encoded.replaceAll('&', '%26')}`).get('v') ?? ''
}

/** Compares texts in constant time. */
function isSame(said: string, right: string): boolean {
  return timingSafeEqual(hashText(said), hashText(right))
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
