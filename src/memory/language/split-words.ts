/** Splits a word list that is written as text: commas and line ends separate the entries, which may have spaces inside. */
export function splitWords(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
