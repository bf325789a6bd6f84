/** Sequences that control a terminal, one of each kind. The program itself writes none of them. */
export const HOSTILE = [
  '\u001b[2J',
  '\u001b[41m',
  '\u001b[5;5H',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.test\u001b\\',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001bPq#0\u001b\\',
  '\u001bc',
  '\u009b41m',
  '\u009d0;title\u009c',
  '\u0007\b\u000e\u007f',
  '\u202e\u2066\u200f',
  '\u200b\u2060\ufeff\u00ad\ufff9\u{e0041}\ufe0f',
  '\u2028\u0085',
  '\t\r\nover\r'
].join('')

const LONG = 10_000

/** A hostile name of another user: a marker, terminal control sequences, and excessive length. */
export function hostileName(what: string): string {
  return `${what}${HOSTILE}${'long '.repeat(LONG / 5)}`
}

/** The sequences that the program itself writes: styles, cursor movements, and erasures of a line that it redraws. */
const OWN =
  /\u001b\[(?:(?:0|1|2|22|31|32|36|39|33|34|90|4|24|7|27|1;35)?m|\?25[lh]|\?(?:7|2004|2026)[lh]|\d*[ABCDGJK])/g

/** Returns the control characters and direction marks in terminal output that the program did not write itself. */
export function foreignControls(screen: string): string[] {
  const rest = screen.replaceAll('\r\n', '\n').replace(OWN, '')
  return (
    rest.match(/[^\P{Cc}\n]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}\ufff9-\ufffb\u2028\u2029]/gu) ?? []
  )
}
