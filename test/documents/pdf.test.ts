import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { joinPageText } from '../../src/documents/formats/read-pdf.ts'
import { readDocument } from '../../src/documents/read-document.ts'
import { nestedPdf, packedPdf } from './hostile-files.ts'
import { linesStream, pdfOf } from './pdf-files.ts'

test('reads the pages of a PDF file, joins the lines of paragraphs, and joins hyphenated words', async () => {
  const pages = [
    linesStream(['The library opens on the old fish', 'quay and will have a read-', 'ing room.']),
    linesStream(['Page two.'])
  ]
  const { text } = await readDocument(pdfOf(pages), 'pdf')
  expect(text).toBe('The library opens on the old fish quay and will have a reading room.\n\nPage two.')
})

test('keeps headings and list items on separate lines', () => {
  const item = (str: string, y: number, height = 10) => ({
    str,
    hasEOL: true,
    height,
    width: 50,
    transform: [1, 0, 0, 1, 50, y]
  })
  const items = [
    item('Goals', 700, 18),
    item('We want', 670),
    item('light.', 658),
    item('1. north', 646),
    item('2. south', 634)
  ]
  expect(joinPageText(items)).toBe('Goals\n\nWe want light.\n1. north\n2. south')
})

test('refuses a PDF file that has no text, needs a password, or is broken, with the reason', async () => {
  const encrypt =
    '/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <' +
    '00'.repeat(32) +
    '> /U <' +
    '11'.repeat(32) +
    '> >> /ID [<aa> <aa>]'
  const files = [
    [pdfOf(['0 0 10 10 re f']), 'it has no text: its pages may be scanned images'],
    [pdfOf([linesStream(['x'])], encrypt), 'it is protected by a password'],
    [Buffer.from('%PDF-1.4\nnothing'), 'it is a damaged PDF file'],
    [new Uint8Array(), 'it is a damaged PDF file']
  ] as const
  for (const [bytes, message] of files)
    await expect(readDocument(bytes, 'pdf')).rejects.toMatchObject({ name: 'UnreadableError', message })
})

test('refuses a PDF file that unpacks to more than a document before reading it, however often it is packed', async () => {
  for (const times of [1, 2, 3]) {
    const bytes = nestedPdf(64, times)
    await expect(readDocument(bytes, 'pdf')).rejects.toMatchObject({
      name: 'UnreadableError',
      message: 'a part of it is larger than 48 MiB when unpacked'
    })
  }
  expect(nestedPdf(64, 3).length).toBeLessThan(1000)
})

test('refuses a PDF file of many small parts by their total unpacked size', async () => {
  const packed = deflateSync(Buffer.alloc(47 * 2 ** 20, ' '), { level: 9 })
  const stream = Buffer.concat([Buffer.from('9 0 obj\n<< >>\nstream\n'), packed, Buffer.from('\nendstream\nendobj\n')])
  const bytes = Buffer.concat([pdfOf([linesStream(['text'])]), ...Array.from({ length: 11 }, () => stream)])
  await expect(readDocument(bytes, 'pdf')).rejects.toThrow('it is larger than 512 MiB when unpacked')
})

test('refuses a PDF file that is compressed too many times', async () => {
  await expect(readDocument(nestedPdf(1, 9), 'pdf')).rejects.toThrow('compressed too many times')
})

test('reads packed content, and accepts a large picture beside it', async () => {
  const content = deflateSync(Buffer.from(linesStream(['The words'])))
  const picture = deflateSync(Buffer.alloc(64 * 2 ** 20), { level: 9 })
  const head = `9 0 obj\n<< /Subtype /Image /Filter /FlateDecode /Length ${picture.length} >>\nstream\n`
  const bytes = Buffer.concat([Buffer.from(head), picture, Buffer.from('\nendstream\nendobj\n'), packedPdf(content)])
  expect((await readDocument(bytes, 'pdf')).text).toBe('The words')
})
