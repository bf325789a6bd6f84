import { replaceHidden } from './hidden-characters.ts'

/**
 * JSON that never drives a terminal: besides what JSON itself escapes, DEL, C1 controls, the two line ends of Unicode and
 * characters that a terminal does not show (`hidden-characters.ts`) are written as \uXXXX. It parses to the same value.
 */
export function jsonText(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, undefined, indent) ?? 'null')
}

function escapeUnsafe(text: string): string {
  return replaceHidden(text.replace(UNSAFE, escapeCharacter), escapeCharacter)
}

const UNSAFE = /[^\P{Cc}\n]|[\u2028\u2029]/gu

/** Each of its UTF-16 code units as JSON escapes them. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
