import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DOCUMENT_TYPES, type DocumentType } from '../../src/documents/port/document-reader.ts'
import { UnreadableError } from '../../src/documents/port/unreadable-error.ts'
import { readDocument } from '../../src/documents/read-document.ts'
import { docxOf, epubOf, odfOf, paragraph, pptxOf, shape, table, xlsxOf } from './office-files.ts'
import { linesStream, pdfOf } from './pdf-files.ts'

const RUNS = process.env.SLOW ? 2000 : 20

const SOUND: Readonly<Record<DocumentType, Uint8Array>> = {
  pdf: pdfOf([linesStream(['one', 'two']), linesStream(['three'])]),
  docx: docxOf(paragraph('one', 'Heading1') + table([['a', 'b']])),
  xlsx: xlsxOf({ S: '<row><c t="s"><v>0</v></c></row>' }, ['x']),
  pptx: pptxOf([{ xml: shape('title', ['one']) + shape('', ['a', '  b']), notes: shape('body', ['c']) }]),
  odf: odfOf(
    'text',
    '<text:h text:outline-level="1">one</text:h><table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell></table:table-row></table:table>'
  ),
  epub: epubOf({ one: '<h1>one</h1><p>a &amp; b' }),
  eml: Buffer.from('From: a@example.com\nSubject: =?utf-8?Q?=C3=A4?=\nContent-Type: text/html\n\n<p>x'),
  rtf: Buffer.from("{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0 A;}}\\'e4\\u228?\\par\\bin2 xx{\\*\\x y}b}"),
  html: Buffer.from('<table><tr><td>a<td>b</table><p>x'),
  markdown: Buffer.from('# a\n\nb'),
  csv: Buffer.from('a,b\n"1",2'),
  text: Buffer.from('a')
}

async function expectTextOrFailure(bytes: Uint8Array, type: DocumentType): Promise<void> {
  const read = await readDocument(bytes, type).catch((error: unknown) => error)
  if (!(read instanceof UnreadableError)) expect(read).toMatchObject({ text: expect.any(String), cut: false })
}

test('reads any bytes as text or fails the item', async () => {
  const given = fc.record({ type: fc.constantFrom(...DOCUMENT_TYPES), bytes: fc.uint8Array({ maxLength: 2000 }) })
  await fc.assert(
    fc.asyncProperty(given, ({ type, bytes }) => expectTextOrFailure(bytes, type)),
    { numRuns: RUNS }
  )
})

test('reads a valid file with changed bytes or an early end as text, or fails the item', async () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 })
  const given = fc.record({ type: fc.constantFrom(...DOCUMENT_TYPES), changes, end: fc.option(fc.nat(), { freq: 3 }) })
  await fc.assert(
    fc.asyncProperty(given, async ({ type, changes, end }) => {
      const bytes = new Uint8Array(SOUND[type])
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      await expectTextOrFailure(end === null ? bytes : bytes.slice(0, end % bytes.length), type)
    }),
    { numRuns: RUNS }
  )
})
