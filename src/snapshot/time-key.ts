/** A time's text as one number that sorts as the text does: its fields in mixed radix, without a calendar. */
export function timeKey(text: string): number {
  const year = (digit(text, 0) * 10 + digit(text, 1)) * 100 + digit(text, 2) * 10 + digit(text, 3)
  const days = (year * 13 + two(text, 5)) * 32 + two(text, 8)
  const seconds = ((days * 24 + two(text, 11)) * 60 + two(text, 14)) * 60 + two(text, 17)
  return seconds * 1000 + digit(text, 20) * 100 + two(text, 21)
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30
}

function two(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1)
}
