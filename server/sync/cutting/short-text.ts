/** A text as one line of at most `unitsMax` UTF-16 code units, that a line of a snapshot can hold: what is cut ends with a mark. */
export function shortText(text: string, unitsMax: number): string {
  const taken = text
    .slice(0, 4 * unitsMax)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim()
  if (taken.length <= unitsMax) return taken
  return `${taken
    .slice(0, unitsMax - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
