import { expect, test } from 'vitest'
import { readDocument } from '../../src/documents/read-document.ts'
import { bombOf, docxOf, paragraph, table, xlsxOf, zipOf } from './office-files.ts'

test('reads the headings, paragraphs and tables of a Word document', async () => {
  const body = [
    paragraph('Tidewater', 'Heading1'),
    paragraph('The quay is wet &amp; cold.'),
    table([
      ['Part', 'Material'],
      ['Roof', 'Zinc']
    ])
  ]
  const { text, cut } = await readDocument(docxOf(body.join('')), 'docx')
  expect(text).toBe('# Tidewater\n\nThe quay is wet & cold.\n\n| Part | Material |\n| Roof | Zinc |')
  expect(cut).toBe(false)
})

test('reads the rows of a workbook with column names, dates and sheets in order', async () => {
  const first =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>Paid</t></is></c><c r="C1" t="str"><v>When</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>12.5</v></c><c r="C2" s="1"><v>46000</v></c><c r="D2" t="b"><v>1</v></c></row>' +
    '<row r="3"><c r="A3" t="inlineStr"><is><r><t>Fa</t></r><r><t>cade</t></r></is></c><c r="C3" s="2"><v>46000.5</v></c></row>'
  const bytes = xlsxOf({ Costs: first, Notes: '<row><c t="inlineStr"><is><t>Ask Ines</t></is></c></row>' }, [
    'Item',
    'Euro',
    'Roof &lt;1&gt;'
  ])
  const { text } = await readDocument(bytes, 'xlsx')
  expect(text).toBe(
    '# Costs\n\nItem: Roof <1>; Euro: 12.5; When: 2025-12-09; Paid: yes\nItem: Facade; When: 2025-12-09 12:00\n\n# Notes\n\nAsk Ines'
  )
})

test('refuses an archive that unpacks to more than a document may, whatever size it declares', async () => {
  const size = 101 * 1024 * 1024
  for (const declared of [size, 10])
    for (const [name, type] of [
      ['word/document.xml', 'docx'],
      ['xl/workbook.xml', 'xlsx']
    ] as const)
      await expect(readDocument(bombOf(name, { size, declared }), type)).rejects.toMatchObject({
        name: 'UnreadableError',
        message: 'it is larger than 100 MiB when unpacked'
      })
})

test('refuses an archive that is truncated, of another format, or has too many members', async () => {
  const whole = docxOf(paragraph('x'))
  const many = zipOf(Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`m${i}`, ''])))
  for (const bytes of [
    whole.subarray(0, whole.length - 30),
    whole.subarray(0, 100),
    zipOf({ a: 'b' }),
    many,
    new Uint8Array()
  ])
    for (const type of ['docx', 'xlsx'] as const)
      await expect(readDocument(bytes, type)).rejects.toMatchObject({ name: 'UnreadableError' })
})

test('refuses a document with endless nesting, and reads a deep one', async () => {
  const refused = { name: 'UnreadableError', message: 'it is a damaged Word document' }
  await expect(readDocument(docxOf('<w:p>'.repeat(300_000)), 'docx')).rejects.toMatchObject(refused)
  const cells = ['<w:tbl><w:tr><w:tc>'.repeat(20), paragraph('Deep down.'), '</w:tc></w:tr></w:tbl>'.repeat(20)]
  const flat = `<w:p><w:pPr>${'<w:keepNext/>'.repeat(3000)}</w:pPr></w:p>`
  expect((await readDocument(docxOf([...cells, flat].join('')), 'docx')).text).toContain('Deep down.')
})

test('does not expand entities of a document', async () => {
  const inner = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const bytes = zipOf({
    'word/document.xml': `<!DOCTYPE d [<!ENTITY l0 "lol">${inner}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&l9;')}</w:body></w:document>`
  })
  const read = await readDocument(bytes, 'docx').catch((error: unknown) => error)
  if (read instanceof Error) expect(read).toMatchObject({ name: 'UnreadableError' })
  else expect((read as { text: string }).text.length).toBeLessThan(100)
})

test('does not expand entities of a workbook, and decodes characters beyond the BMP', async () => {
  const bytes = xlsxOf({ S: '<row><c t="inlineStr"><is><t>&#128512; &lol; <![CDATA[<b>]]></t></is></c></row>' })
  expect((await readDocument(bytes, 'xlsx')).text).toBe('\u{1f600} &lol; <b>')
})

test('refuses a workbook whose XML ends early or is nested without end', async () => {
  for (const xml of ['<row><c><v>1</v>', '<row>'.repeat(300_000)])
    await expect(readDocument(xlsxOf({ S: xml }), 'xlsx')).rejects.toMatchObject({
      name: 'UnreadableError',
      message: 'a part of it is malformed XML'
    })
})

test('reads the beginning of an endless sheet, without cells far to the right', async () => {
  const { text, cut } = await readDocument(
    xlsxOf({ S: '<row><c><v>7</v></c><c r="ZZZ1"><v>8</v></c></row>'.repeat(50_001) }),
    'xlsx'
  )
  expect(cut).toBe(true)
  expect(text.split('\n').length).toBe(50_000)
  expect(text).not.toContain('8')
})
