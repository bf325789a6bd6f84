/** What may be typed at a yes/no question, the answer of an empty line as a capital letter. */
export function yesOrNo(otherwise: boolean): string {
  return otherwise ? 'Y/n' : 'y/N'
}

/** What a line says to a yes/no question: an empty one says `otherwise`, what is neither is no. */
export function isYes(line: string, otherwise: boolean): boolean {
  return line.trim() === '' ? otherwise : /^\s*y(es)?\s*$/i.test(line)
}
