import { deflateSync } from 'node:zlib'

/** Builds a PDF file with one page of packed content, unchanged. */
export function packedPdf(packed: Uint8Array, filters = ['FlateDecode']): Uint8Array {
  const filter = `[${filters.map((name) => `/${name}`).join(' ')}]`
  const head = `%PDF-1.4
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>\nendobj
5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>\nendobj
4 0 obj\n<< /Filter ${filter} /Length ${packed.length} >>\nstream\n`
  const tail = '\nendstream\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n'
  return Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
}

/** Builds a PDF file whose content was packed `times` times: a few hundred bytes contain hundreds of MiB. */
export function nestedPdf(megabytes: number, times: number): Uint8Array {
  let packed: Uint8Array = Buffer.alloc(megabytes * 2 ** 20, ' ')
  for (let n = 0; n < times; n++) packed = deflateSync(packed, { level: 9 })
  return packedPdf(
    packed,
    Array.from({ length: times }, () => 'FlateDecode')
  )
}

/** Builds the same with a filter that is not checked before reading. */
export function hiddenPdf(megabytes: number): Uint8Array {
  const hex = deflateSync(Buffer.alloc(megabytes * 2 ** 20, ' '), { level: 9 }).toString('hex')
  return packedPdf(Buffer.from(`${hex}>`), ['ASCIIHexDecode', 'FlateDecode'])
}
