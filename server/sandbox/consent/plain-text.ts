const TEXT_LENGTH_MAX = 200

/** Signs that are not seen, or that turn the direction of what comes after them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A name from elsewhere as it can be shown: on one line, of bearable length, and nothing in it that acts on its surroundings. */
export function plainText(text: string): string {
  const seen = text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  const letters = [...seen.slice(0, 2 * TEXT_LENGTH_MAX)]
  return letters.length > TEXT_LENGTH_MAX ? `${letters.slice(0, TEXT_LENGTH_MAX - 1).join('')}…` : seen
}
