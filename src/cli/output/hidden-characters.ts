import { once } from '../ports/lazy-modules.ts'

/**
 * Characters that a terminal does not show or that change how it shows others, by Unicode properties. Untrusted text
 * loses them before it reaches a terminal (`plain-text.ts`), and JSON has them as escapes (`json-text.ts`).
 *
 * | property or range | what it holds | on a terminal |
 * |---|---|---|
 * | `Cc`, but LF | controls; what begins an escape sequence goes with the sequence | removed; a tab is a space, CR and NEL line ends |
 * | `Bidi_Control` | U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069: turn the direction of writing | removed |
 * | `Default_Ignorable_Code_Point` | zero-width spaces and joiners, word joiner, byte order mark, soft hyphen, Hangul fillers, variation selectors, tags (U+E0000–E0FFF), invisible operators | removed, except for the uses below |
 * | U+FFF9–FFFB | interlinear annotation | removed |
 * | U+2028, U+2029 | line and paragraph separator | line ends |
 * | `Cs` | half a surrogate pair | U+FFFD |
 *
 * Kept, each only once in a row and where it changes what a reader sees:
 * - ZWJ between two pictographs, as in families;
 * - VS15 and VS16 right after an emoji, VS16 also in a keycap (`1️⃣`);
 * - ZWNJ and ZWJ between two letters of a script that joins letters or builds conjuncts (Persian, Hindi …), and after a
 *   virama, which may end a word;
 * - Mongolian variation selectors and the vowel separator after a Mongolian letter.
 *
 * Not kept: tags after a black flag (three flags of Great Britain use them; anything can be hidden in them) and the selectors
 * of Han variants (no terminal draws these).
 */

/** Scripts whose letters join or build conjuncts, so that joiners are part of their spelling. */
const JOINING_SCRIPTS = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mandaic',
  'Mongolian',
  'Adlam',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Javanese',
  'Balinese',
  'Sundanese'
]
/** Matches a letter or mark of these scripts. Hidden characters belong to some of them too. */
const JOINED = `(?!\\p{Default_Ignorable_Code_Point})[${JOINING_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`

/** Viramas of those scripts. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u103a\\u17d2]'

const PICTOGRAPH = '\\p{Extended_Pictographic}'

const KEPT = [
  `(?<=${PICTOGRAPH}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d(?=${PICTOGRAPH})`,
  `(?<=${PICTOGRAPH}\\p{Emoji_Modifier}?)[\\ufe0e\\ufe0f]`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
  '(?<=\\p{Script=Mongolian})(?<![\\u180b-\\u180f])[\\u180b-\\u180f]'
].join('|')

/** Matches any character that might be removed: a cheap test for a text. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/u

/** Matches each hidden character except in the uses that are kept. Created at first use, because few texts need it. */
const hiddenPattern = once(() => new RegExp(`(?!${KEPT})${IGNORABLE.source}`, 'gu'))

/** Replaces each hidden character by the result of `replace`. Control characters are not hidden characters. */
export function replaceHidden(text: string, replace: (hidden: string) => string): string {
  return IGNORABLE.test(text) ? text.replace(hiddenPattern(), replace) : text
}

/** Lists the hidden characters of a text, each once, as `U+200B`. */
export function listHidden(text: string): string[] {
  const found = new Set<string>()
  replaceHidden(text, (hidden) => {
    found.add(`U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    return hidden
  })
  return [...found]
}
