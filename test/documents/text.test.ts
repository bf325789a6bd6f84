import { expect, test } from 'vitest'
import type { DocumentType } from '../../src/documents/port/document-reader.ts'
import { readDocument } from '../../src/documents/read-document.ts'
import { cpuMs } from '../setup/cpu-time.ts'

async function textOf(content: string | Uint8Array, type: DocumentType): Promise<string> {
  return (await readDocument(Buffer.from(content), type)).text
}

test('decodes a text in its encoding', async () => {
  expect(await textOf('Größe 3 m²', 'text')).toBe('Größe 3 m²')
  expect(await textOf(Buffer.from('\ufeffGröße', 'utf16le'), 'text')).toBe('Größe')
  expect(await textOf(Buffer.from('\ufeffGröße', 'utf16le').swap16(), 'text')).toBe('Größe')
  expect(await textOf(Buffer.from('Größe', 'latin1'), 'text')).toBe('Größe')
  expect(await textOf(Uint8Array.of(0x80, 0x20, 0x35), 'text')).toBe('€ 5')
  const page = Buffer.concat([Buffer.from('<meta charset="koi8-r"><p>'), Uint8Array.of(0xf2, 0xc5, 0xcb, 0xc1)])
  expect(await textOf(page, 'html')).toBe('Река')
})

test('removes pictures and needless escapes from exported Markdown, and keeps code unchanged', async () => {
  const exported =
    '# Plan\n\n1\\. Ask \\- then *go*\\! ![quay][image1]\n\n```\na \\. b\n```\n\n[image1]: <data:image/png;base64,AAAA>\n'
  expect(await textOf(exported, 'markdown')).toBe('# Plan\n\n1. Ask - then *go*! quay\n\n```\na \\. b\n```')
})

test('refuses text with many NULs, and removes a single one', async () => {
  expect(await textOf(`${'a'.repeat(200)}\0b`, 'text')).toBe(`${'a'.repeat(200)}b`)
  await expect(readDocument(Buffer.from(`PK${'\0'.repeat(8)}`), 'text')).rejects.toMatchObject({
    name: 'UnreadableError'
  })
})

test('normalizes line ends to LF, and removes control characters and repeated blank lines', async () => {
  expect(await textOf('a \t\r\nb\r\rc\u001b[31m\u0007\n\n\n\nd', 'text')).toBe('a\nb\n\nc[31m\n\nd')
})

test('cuts a text of more than 2 MiB at the end of a line, and reports it', async () => {
  const line = `${'ü'.repeat(50)}\n`
  const { text, cut } = await readDocument(Buffer.from(line.repeat(30_000)), 'text')
  expect(cut).toBe(true)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 * 1024 * 1024)
  expect(Buffer.byteLength(text)).toBeGreaterThan(2 * 1024 * 1024 - 200)
  expect(text.endsWith('ü'.repeat(50))).toBe(true)
  expect(text).not.toContain('\ufffd')
})

test('reads the headings, lists and tables of a page, without invisible content', async () => {
  const page = `<html><head><title>The &lt;quay&gt;</title><style>p{}</style></head><body><h2>Plan</h2><script>x()</script>
    <p>See <a href="https://example.com/x">the plan</a><img src="https://example.com/y.png" alt="no">.</p>
    <ul><li>one</li><li>two</li></ul><table><tr><th>Part</th><th>Of</th></tr><tr><td>Roof</td><td>Zinc</td></tr></table></body></html>`
  const { text, title } = await readDocument(Buffer.from(page), 'html')
  expect(title).toBe('The <quay>')
  expect(text).toBe('## Plan\n\nSee the plan.\n\n- one\n- two\n\n| Part | Of |\n| Roof | Zinc |')
})

test('reads a page with a hundred thousand levels or endless scripts', async () => {
  expect(await textOf(`${'<div>'.repeat(100_000)}deep`, 'html')).toBe('deep')
  const scripts = `${'<div>'.repeat(3000)}${'<script>a'.repeat(200_000)}</script>end`
  expect(await textOf(scripts, 'html')).toContain('end')
})

test('reads rows of CSV as lines with column names', async () => {
  expect(await textOf('item,who,"a ""b"""\nroof,"Metall, Bau\nFeddersen",\nfloor,,x\n', 'csv')).toBe(
    'item: roof; who: Metall, Bau Feddersen\nitem: floor; a "b": x'
  )
  expect(await textOf('a;b\n1;2', 'csv')).toBe('a: 1; b: 2')
  expect(await textOf('1\t2\n3\t4', 'csv')).toBe('1 | 2\n3 | 4')
})

test('reads the beginning of an endless table, and reports it', async () => {
  for (const line of ['cell of one line,', ',', 'a,b\n', '""\n,\n']) {
    const { text, cut } = await readDocument(Buffer.from(line.repeat((12 * 2 ** 20) / line.length)), 'csv')
    expect([line, cut]).toEqual([line, true])
    expect(text.length).toBeLessThanOrEqual(2 ** 21)
  }
})

test('handles an unclosed quote and endless spaces quickly', async () => {
  const ms = await cpuMs(async () => {
    await textOf(`a,b\n"${'x'.repeat(30_000_000)}`, 'csv')
    await textOf(`${' '.repeat(3_000_000)}x`, 'text')
    await textOf(`<title`.repeat(500_000), 'html')
  })
  expect(ms).toBeLessThan(20_000)
})
