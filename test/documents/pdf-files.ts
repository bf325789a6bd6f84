/** Builds a PDF file of pages with these content streams and Helvetica as F1. `more` is added to its trailer. */
export function pdfOf(streams: readonly string[], more = ''): Uint8Array {
  const kids = streams.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...streams.flatMap((stream, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`
    ])
  ]
  let file = '%PDF-1.4\n'
  const places: string[] = []
  for (const [i, object] of objects.entries()) {
    places.push(`${String(file.length).padStart(10, '0')} 00000 n \n`)
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${more} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Builds a content stream of lines, 14 points apart. */
export function linesStream(lines: readonly string[]): string {
  return `BT /F1 11 Tf 14 TL 56 780 Td\n${lines.map((line) => `(${line}) Tj T*`).join('\n')}\nET`
}
