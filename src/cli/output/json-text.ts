/**
 * JSON that never drives a terminal: besides what JSON itself escapes, DEL, C1 controls, direction marks and the two
 * line ends of Unicode are written as \uXXXX. It parses to the same value.
 */
export function jsonText(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, undefined, indent) ?? 'null')
}

function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const UNSAFE = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/gu
