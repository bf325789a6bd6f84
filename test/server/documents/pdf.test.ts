import { expect, test } from 'vitest'
import { pageText } from '../../../server/documents/pdf/page-text.ts'
import { readDocument } from '../../../server/documents/read-document.ts'
import { linesStream, pdfOf } from './pdf-files.ts'

test('a PDF file is its pages, with lines of a paragraph joined and divided words whole', async () => {
  const pages = [
    linesStream(['The library opens on the old fish', 'quay and will have a read-', 'ing room.']),
    linesStream(['Page two.'])
  ]
  const { text } = await readDocument(pdfOf(pages), 'pdf')
  expect(text).toBe('The library opens on the old fish quay and will have a reading room.\n\nPage two.')
})

test('a heading and a list are lines of their own', () => {
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
  expect(pageText(items)).toBe('Goals\n\nWe want light.\n1. north\n2. south')
})

test('a PDF file without text, with a password, or broken is refused with the reason', async () => {
  const encrypt =
    '/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <' +
    '00'.repeat(32) +
    '> /U <' +
    '11'.repeat(32) +
    '> >> /ID [<aa> <aa>]'
  const files = [
    [pdfOf(['0 0 10 10 re f']), 'it has no text: perhaps its pages were scanned'],
    [pdfOf([linesStream(['x'])], encrypt), 'it is protected by a password'],
    [Buffer.from('%PDF-1.4\nnothing'), 'it is a broken PDF file'],
    [new Uint8Array(), 'it is a broken PDF file']
  ] as const
  for (const [bytes, message] of files)
    await expect(readDocument(bytes, 'pdf')).rejects.toMatchObject({ kind: 'item_permanent', message })
})
