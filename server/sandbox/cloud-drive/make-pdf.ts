import { Buffer } from 'node:buffer'

/** Lines of a page, and letters of a line: what goes beyond the edge is not there for who reads it. */
const LINES_MAX = 45
const LETTERS_MAX = 85

/** A PDF file (ISO 32000-1) with the lines of a text in Helvetica; letters outside of Latin-1 become `?`. */
export function makePdf(text: string): Uint8Array {
  const lines = text.split('\n').flatMap(wrapped)
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES_MAX)) }, (_, i) =>
    lines.slice(i * LINES_MAX, (i + 1) * LINES_MAX)
  )
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, i) => [pageObject(5 + 2 * i), contentObject(page)])
  ]
  return assembled(objects)
}

function wrapped(line: string): string[] {
  const lines: string[] = []
  let last = ''
  for (const word of line.split(' ')) {
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || longer.length <= LETTERS_MAX) last = longer
    else {
      lines.push(last)
      last = word
    }
  }
  return [...lines, last]
}

function pageObject(content: number): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R >>`
}

function contentObject(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&').replace(/[^ -ÿ]/g, '?')}) Tj T*`)
  const stream = `BT /F1 11 Tf 16 TL 56 780 Td\n${shown.join('\n')}\nET`
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`
}

function assembled(objects: readonly string[]): Uint8Array {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const place = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
