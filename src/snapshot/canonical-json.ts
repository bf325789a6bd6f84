/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject

export type JsonObject = { [key: string]: Json | undefined }

/**
 * The one text of a JSON value that every writer agrees on (RFC 8785): keys in the order of their UTF-16 code units, no
 * spaces, numbers and escapes as ECMAScript prints them. Fields that are undefined are left out.
 * Strings must be well formed and numbers finite: what comes through `parseJson` is.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}
