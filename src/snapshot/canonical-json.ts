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
  return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value)
}

/** The same of an object, one of its members left out. */
export function canonicalObject(value: JsonObject, without?: string): string {
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== undefined && key !== without)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}
