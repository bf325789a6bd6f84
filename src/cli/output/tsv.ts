import { jsonText } from './json-text.ts'

/** One line of tab-separated values with its LF. Nothing inside a value can look like a tab, a line end or a command to a terminal. */
export function tsvLine(values: readonly unknown[]): string {
  return `${values.map(tsvValue).join('\t')}\n`
}

/** Absent is empty; what is no text is written as JSON. Backslash, tab, LF, CR and other controls: `\\ \t \n \r \uXXXX`. */
function tsvValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.replace(ESCAPED, (letter) => SHORT[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ESCAPED = /[\p{Cc}\\\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu
const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
