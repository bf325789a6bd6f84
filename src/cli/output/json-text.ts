import { replaceHidden } from './hidden-characters.ts'

/**
 * Formats a value as JSON that cannot control a terminal. In addition to what JSON escapes, DEL, C1 controls, the two
 * Unicode line ends and the characters that a terminal does not show (`hidden-characters.ts`) are written as \uXXXX.
 * The text parses to the same value.
 */
export function jsonText(value: unknown, indent = 0): string {
  return escapeUnsafe(JSON.stringify(value, undefined, indent) ?? 'null')
}

function escapeUnsafe(text: string): string {
  return replaceHidden(text.replace(UNSAFE, escapeCharacter), escapeCharacter)
}

const UNSAFE = /[^\P{Cc}\n]|[\u2028\u2029]/gu

/** Returns the JSON escapes of the UTF-16 code units of a character. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
