/** Splits a word list written as text. Commas and line ends separate entries, which may contain spaces. */
export function splitWords(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
