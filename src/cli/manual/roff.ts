/** Text as groff and mandoc read it back sign for sign, in ASCII: nothing in it is a request or an escape of theirs. */
export function roffText(text: string): string {
  return text.replace(SPECIAL, (sign) => NAMED[sign] ?? `\\[u${toCodePoint(sign)}]`).replace(/^(?=[.'])/gm, '\\&')
}

const SPECIAL = /[\\\-'`^~]|[^\x20-\x7e\n]/gu

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti'
}

function toCodePoint(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** A paragraph. */
export function paragraph(text: string): string[] {
  return text.trim() === '' ? [] : ['.PP', roffText(text)]
}

/** A term in bold, and what it means beside or below it. */
export function entry(term: string, about: string): string[] {
  return ['.TP', `\\fB${roffText(term)}\\fR`, roffText(about)]
}

/** Lines as they are. */
export function example(text: string): string[] {
  // An empty line is a request of its own.
  const lines = roffText(text.trimEnd()).split('\n')
  return ['.PP', '.EX', ...lines.map((line) => (line === '' ? '.sp' : line)), '.EE']
}
