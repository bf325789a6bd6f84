const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** How many values a text of sound JSON holds, about: commas outside of strings. Stops counting beyond `max`. */
export function countValues(json: Uint8Array, max: number): number {
  let count = 1
  for (let at = 0; at < json.length && count <= max; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === COMMA) count++
  }
  return count
}

/** Where the quote stands that ends the string that begins at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
