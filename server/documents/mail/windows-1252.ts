/** What windows-1252 has at 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt), in its order. */
const LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Text in which control characters that nobody writes are the letters that were meant: bytes of windows-1252 that were read as
 * ISO-8859-1, because the message says so, or because the decoder takes the two for one.
 */
export function withLettersMeant(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => LETTERS[control.charCodeAt(0) - 0x80] ?? control)
}
