import { expect, test } from 'vitest'
import { DOCUMENT_TYPES, type DocumentType } from '../../src/documents/port/document-reader.ts'
import { readDocument } from '../../src/documents/read-document.ts'
import { cpuMs } from '../setup/cpu-time.ts'
import { bombOf, epubOf, odfOf, pptxOf, shape, zipOf } from './office-files.ts'

/** Far above the actual time, so that only unbounded growth exceeds it. */
const CPU_MS_MAX = 30_000

const row = (cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
const refused = (message?: string) => ({ name: 'UnreadableError', ...(message !== undefined && { message }) })

test('reads the slides of a presentation in order, with lists, tables and notes', async () => {
  const table =
    '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Part</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Of</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>'
  const bytes = pptxOf([
    {
      xml:
        shape('ctrTitle', ['The quay']) +
        shape('', ['Zinc &amp; wood', '  for the roof', 'Stone']) +
        shape('sldNum', ['1']),
      notes: shape('sldImg', ['x']) + shape('body', ['Thank Ines.'])
    },
    { xml: shape('text', ['A box of text']) + table },
    { xml: '' }
  ])
  const { text, cut } = await readDocument(bytes, 'pptx')
  expect(text).toBe(
    '# The quay\n\n- Zinc & wood\n  - for the roof\n- Stone\n\nNotes: Thank Ines.\n\n# Slide 2\n\nA box of text\n\n| Part | Of |'
  )
  expect(cut).toBe(false)
})

test('reads the headings, lists, tables and notes of an OpenDocument text, without comments and deleted text', async () => {
  const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Plan</text:h>
    <text:p>The<text:s text:c="2"/>quay<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>built 1902</text:p></text:note-body></text:note> is
    wet.<office:annotation><text:p>really?</text:p></office:annotation></text:p>
    <text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in one</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
    <table:table>${row([cell('Part'), cell('Of')])}${row([cell('Roof'), cell('Zinc')])}</table:table>`
  expect((await readDocument(odfOf('text', body), 'odf')).text).toBe(
    '## Plan\n\nThe quay (built 1902) is wet.\n\n- one\n  - in one\n- two\n\n| Part | Of |\n| Roof | Zinc |'
  )
})

test('reads the rows of an OpenDocument sheet with column names, and stores repeated cells once', async () => {
  const costs = [
    row([cell('Item'), cell('Euro'), cell('When'), cell('Paid')]),
    row([
      cell('Roof'),
      cell('12.50 €', 'office:value-type="float" office:value="12.5"'),
      cell('9 Dec', 'office:value-type="date" office:date-value="2025-12-09T12:00:00"'),
      cell('TRUE', 'office:value-type="boolean" office:boolean-value="true"'),
      '<table:table-cell table:number-columns-repeated="16380"/>'
    ]),
    '<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
  ]
  const bytes = odfOf(
    'spreadsheet',
    `<table:table table:name="Costs">${costs.join('')}</table:table><table:table table:name="Empty"/>`
  )
  expect(await readDocument(bytes, 'odf')).toEqual({
    text: '# Costs\n\nItem: Roof; Euro: 12.5; When: 2025-12-09 12:00; Paid: yes',
    cut: false
  })
})

test('reads the titles of an OpenDocument presentation above its text', async () => {
  const frame = (kind: string, text: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
  const slides = `<draw:page>${frame('outline', 'Stone')}${frame('title', 'Plan')}<presentation:notes>${frame('notes', 'Thank Ines.')}</presentation:notes></draw:page><draw:page>${frame('outline', 'Wood')}</draw:page>`
  expect((await readDocument(odfOf('presentation', slides), 'odf')).text).toBe(
    '# Plan\n\nStone\n\nNotes: Thank Ines.\n\n# Slide 2\n\nWood'
  )
})

test('reads the pages of a book in reading order, without its table of contents', async () => {
  const bytes = epubOf({ b: '<h1>First</h1><p>One &amp; only.</p>', a: '<p>Second' })
  expect(await readDocument(bytes, 'epub')).toEqual({
    text: '# First\n\nOne & only.\n\nSecond',
    title: 'The quay',
    cut: false
  })
})

test('refuses an encrypted book or text, but reads one with encrypted fonts', async () => {
  const sealed = (path: string) => ({
    'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`
  })
  const read = (path: string) => readDocument(epubOf({ a: '<p>text' }, sealed(path)), 'epub')
  await expect(read('OEBPS/text/a%20page.xhtml')).rejects.toMatchObject(refused('it is copy-protected'))
  expect((await read('OEBPS/fonts/a.otf')).text).toBe('text')
  const manifest = '<manifest><file-entry><encryption-data/></file-entry></manifest>'
  const locked = zipOf({ 'content.xml': '\u0001\u0002', 'META-INF/manifest.xml': manifest })
  await expect(readDocument(locked, 'odf')).rejects.toMatchObject(refused('it is protected by a password'))
})

test('reads the headers, the own words and the attachment names of a message file', async () => {
  const lines = [
    'From: Ines <ines@example.com>',
    'To: Mara <mara@example.com>, bo@example.com',
    'Subject: Roof',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Zinc it is.',
    '--b',
    'Content-Type: application/pdf; name=roof.pdf',
    'Content-Disposition: attachment; filename=roof.pdf',
    '',
    'x',
    '--b--'
  ]
  expect(await readDocument(Buffer.from(lines.join('\r\n')), 'eml')).toEqual({
    text: 'From: Ines <ines@example.com>\nTo: Mara <mara@example.com>, bo@example.com\nSubject: Roof\n\nZinc it is.\n\nAttached: roof.pdf',
    title: 'Roof',
    cut: false
  })
})

test('reads RTF text in its code page, with tables as rows, without fonts, pictures and fields', async () => {
  const rtf = `{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}{\\header page}\\pard \\'cf\\'eb\\'e0\\'ed {\\b bold}\\par
{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt a link}} \\{x\\} \\u8364? \\uc2\\u228\\'61\\'62z\\emdash\\par
\\trowd a\\cell b\\cell\\row{\\pict\\bin4 }}}}}end}`
  expect((await readDocument(Buffer.from(rtf), 'rtf')).text).toBe('План bold\n\na link {x} € äz—\n\na | b\nend')
})

test('refuses archives of every kind that unpack to far more than a document, whatever size they declare', async () => {
  const size = 101 * 1024 * 1024
  for (const [name, type] of [
    ['ppt/presentation.xml', 'pptx'],
    ['content.xml', 'odf'],
    ['META-INF/container.xml', 'epub']
  ] as const)
    for (const declared of [size, 10])
      await expect(readDocument(bombOf(name, { size, declared }), type)).rejects.toMatchObject(
        refused('it is larger than 100 MiB when unpacked')
      )
})

test('refuses files of another format or with an early end', async () => {
  const whole: Partial<Record<DocumentType, Uint8Array>> = {
    pptx: pptxOf([{ xml: shape('title', ['x']) }]),
    odf: odfOf('text', '<text:p>x</text:p>'),
    epub: epubOf({ a: 'x' })
  }
  for (const type of DOCUMENT_TYPES) {
    const bytes = whole[type]
    if (bytes === undefined) continue
    for (const broken of [bytes.subarray(0, bytes.length - 30), zipOf({ a: 'b' }), new Uint8Array()])
      await expect(readDocument(broken, type)).rejects.toMatchObject(refused())
  }
  await expect(readDocument(Buffer.from('{\\rt'), 'rtf')).rejects.toMatchObject(refused('it is not an RTF file'))
})

test('does not expand entities', async () => {
  const inner = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const content = `<!DOCTYPE d [<!ENTITY l0 "lol">${inner}]><a><p>&l9;</p></a>`
  const read = await readDocument(zipOf({ 'content.xml': content }), 'odf').catch((error: unknown) => error)
  if (read instanceof Error) expect(read).toMatchObject(refused())
  else expect(read).toMatchObject({ text: '&l9;' })
})

test('handles endless levels, repeats, groups and pages quickly', async () => {
  const deep = refused('a part of it is malformed XML')
  const repeated = `<table:table-row table:number-rows-repeated="1000000">${cell('x', 'table:number-columns-repeated="1000000"')}</table:table-row>`
  const ms = await cpuMs(async () => {
    await expect(readDocument(odfOf('text', '<text:list>'.repeat(300_000)), 'odf')).rejects.toMatchObject(deep)
    await expect(readDocument(pptxOf([{ xml: '<p:sp>'.repeat(300_000) }]), 'pptx')).rejects.toMatchObject(deep)
    const sheet = odfOf('spreadsheet', `<table:table table:name="S">${repeated}</table:table>`.repeat(20))
    expect((await readDocument(sheet, 'odf')).cut).toBe(true)
    await expect(readDocument(Buffer.from(`{\\rtf1${'{'.repeat(3_000_000)}`), 'rtf')).rejects.toMatchObject(refused())
    const long = await readDocument(Buffer.from(`{\\rtf1 ${"\\'e4\\u228?".repeat(1_100_000)}`), 'rtf')
    expect(long.cut).toBe(true)
    const pages = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, 'a word '.repeat(1000)]))
    expect((await readDocument(epubOf(pages), 'epub')).cut).toBe(true)
  })
  expect(ms).toBeLessThan(CPU_MS_MAX)
})
