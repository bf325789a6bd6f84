import type { SandboxOAuth } from './sandbox-provider.ts'

/** Parses the parameters of a token request: texts, each given once. Returns undefined for any other format. */
export function tokenParams(
  way: SandboxOAuth['tokenRequest'],
  { contentType, body }: { contentType: string | null; body: Uint8Array }
): Readonly<Record<string, string>> | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  const text = new TextDecoder().decode(body)
  if (way === 'form') return type === 'application/x-www-form-urlencoded' ? formParams(text) : undefined
  return type === 'application/json' ? jsonParams(text) : undefined
}

/** Parses form parameters, or returns undefined if one is repeated, which is invalid (RFC 6749 section 3.2). */
export function formParams(text: string): Readonly<Record<string, string>> | undefined {
  const params = [...new URLSearchParams(text)]
  const names = new Set(params.map(([name]) => name))
  return names.size === params.length ? Object.fromEntries(params) : undefined
}

function jsonParams(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1])))
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
