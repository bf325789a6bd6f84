import { crc32, deflateRawSync } from 'node:zlib'
import { NAMES } from './hostile-names.mjs'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const EPUB = 'application/epub+zip'
const PDF = 'application/pdf'
const MB = 1024 * 1024

/** Returns hostile files for the sandbox's cloud drive. `fails` marks those of which no content may be stored. */
export function hostileFiles({ isWhole }) {
  const bombMb = isWhole ? 1024 : 128
  return [
    ...[...NAMES, 'half \ud83d of a pair', ''].map((name, n) => ({ name, text: `What stands in hostile name ${n}.` })),
    ...['', ' \n\t ', '\u0000', '\u200b\u200e', '\ufeff'].map((text, n) => ({ name: `empty ${n}.txt`, text })),
    { name: 'nul.txt', text: 'before\u0000after \u001b[31mred\u001b[0m \u202etxt.exe' },
    { name: 'half.txt', text: 'The half \ud83d of a pair stands here, and \udc00 too.' },
    { name: 'bytes.txt', ...raw(Buffer.from([0x41, 0xc3, 0x28, 0xff, 0xfe, 0x80, 0x0a, 0x42])) },
    { name: 'utf16.txt', ...raw(Buffer.from('\ufeffA word in wide letters.', 'utf16le')) },
    { name: 'equal 1.txt', text: 'The very same words stand in two files.' },
    { name: 'equal 2.txt', text: 'The very same words stand in two files.' },
    { name: 'repeats.txt', text: 'It says this again.\n\n'.repeat(2000) },
    { name: 'one line.csv', mimeType: 'text/csv', text: 'cell "of" one line,', size: (isWhole ? 50 : 0.5) * MB },
    { name: 'nested.html', mimeType: 'text/html', text: `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}` },
    {
      name: 'open.html',
      mimeType: 'text/html',
      text: `<p>shallow ${'<b><i><a href="'.repeat(isWhole ? 30_000 : 3000)}`
    },
    { name: 'deep.json', mimeType: 'application/json', text: '['.repeat(isWhole ? 200_000 : 30_000) },
    { name: 'odd type', mimeType: 'text/\u001b[31m; charset=\u0000', text: 'An odd type.' },
    { name: 'unknown letters.txt', mimeType: 'text/plain; charset=x-nobody-knows', text: 'Letters of a kind.' },
    ...bombs(bombMb),
    ...brokenPackages(),
    ...brokenPdfs(isWhole),
    ...furtherPackages(bombMb),
    ...furtherTexts(isWhole)
  ]
}

/** Compressed text of this many megabytes. It is made once, because compressing it takes a second. */
const packedText = remember((mb) => deflateRawSync(Buffer.alloc(mb * MB, 'a'), { level: 1 }))

/** Returns a function that computes the result for each argument once. */
export function remember(compute) {
  const results = new Map()
  return (argument) => {
    if (!results.has(argument)) results.set(argument, compute(argument))
    return results.get(argument)
  }
}

function raw(bytes) {
  return { base64: Buffer.from(bytes).toString('base64') }
}

function bombs(mb) {
  const packed = packedText(mb)
  const text = { packed, size: mb * MB }
  const wide = Array.from({ length: 5000 }, (_, n) => [`word/media/${n}.xml`, whole('x')])
  const shared = 'a'.repeat(1000)
  const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
  const laugh = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "${shared}">${entities}]><w:document><w:t>&e12;</w:t></w:document>`
  const inner = zip([['word/document.xml', text]])
  return [
    { name: 'bomb.docx', mimeType: DOCX, fails: true, ...raw(docx(text)) },
    { name: 'liar.docx', mimeType: DOCX, fails: true, ...raw(docx({ packed, size: 100 })) },
    { name: 'bomb.xlsx', mimeType: XLSX, fails: true, ...raw(xlsx(text)) },
    {
      name: 'wide.docx',
      mimeType: DOCX,
      fails: true,
      ...raw(zip([['word/document.xml', whole(paragraph('Wide.'))], ...wide]))
    },
    { name: 'laughs.docx', mimeType: DOCX, fails: true, ...raw(docx(whole(laugh))) },
    { name: 'deep.docx', mimeType: DOCX, fails: true, ...raw(docx(whole('<w:p>'.repeat(300_000)))) },
    { name: 'bomb in bomb.docx', mimeType: DOCX, fails: true, ...raw(zip([['inner.docx', whole(inner)]])) }
  ]
}

function brokenPackages() {
  const sound = docx(whole(paragraph('It was sound once.')))
  const flipped = Buffer.from(sound)
  for (let at = 30; at < flipped.length; at += 17) flipped[at] ^= 0x55
  const outside = zip([
    ['../../../tmp/owned', whole('x')],
    ['word/document.xml', whole(paragraph('It leads out.'))]
  ])
  return [
    { name: 'cut.docx', mimeType: DOCX, fails: true, ...raw(sound.subarray(0, sound.length / 2)) },
    { name: 'flipped.docx', mimeType: DOCX, fails: true, ...raw(flipped) },
    { name: 'no package.docx', mimeType: DOCX, fails: true, text: 'I am a text.' },
    { name: 'outside.docx', mimeType: DOCX, ...raw(outside) },
    { name: 'empty.xlsx', mimeType: XLSX, fails: true, ...raw(zip([])) }
  ]
}

function brokenPdfs(isWhole) {
  const loop = '1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9999999>>endobj\n'
  const locked = 'trailer<</Root 1 0 R/Encrypt<</Filter/Standard/V 4/R 4/O(a)/U(b)/P -1>>>>\nstartxref\n9\n%%EOF'
  return [
    { name: 'broken.pdf', mimeType: PDF, fails: true, text: '%PDF-1.7\nnothing of it\n%%EOF' },
    { name: 'loop.pdf', mimeType: PDF, fails: true, text: `%PDF-1.7\n${loop}trailer<</Root 1 0 R>>\n%%EOF` },
    { name: 'locked.pdf', mimeType: PDF, fails: true, text: `%PDF-1.7\n${loop}${locked}` },
    // Reading it takes the full time limit of a file.
    ...(isWhole
      ? [{ name: 'huge.pdf', mimeType: PDF, fails: true, text: `%PDF-1.7\n${'0 0 obj<<'.repeat(1000)}`, size: 30 * MB }]
      : [])
  ]
}

/** Builds presentations, OpenDocument files and books: a bomb, a false size, nested entities, nesting and repeats. */
function furtherPackages(mb) {
  const packed = packedText(mb)
  const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
  const laugh = (body) => `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "${'a'.repeat(1000)}">${entities}]>${body}`
  const bombs = [
    ['pptx', PPTX, presentation],
    ['odt', `${OPEN_DOCUMENT}text`, openDocument],
    ['ods', `${OPEN_DOCUMENT}spreadsheet`, openDocument],
    ['odp', `${OPEN_DOCUMENT}presentation`, openDocument],
    ['epub', EPUB, book]
  ].flatMap(([ending, mimeType, build]) => [
    { name: `bomb.${ending}`, mimeType, fails: true, ...raw(build({ packed, size: mb * MB })) },
    { name: `liar.${ending}`, mimeType, fails: true, ...raw(build({ packed, size: 100 })) },
    { name: `cut.${ending}`, mimeType, fails: true, ...raw(build(whole('<a>'.repeat(1000))).subarray(0, -30)) }
  ])
  const row =
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000"><text:p>x</text:p></table:table-cell></table:table-row>'
  const sheet = `<office:body><office:spreadsheet><table:table table:name="S">${row.repeat(20)}</table:table></office:spreadsheet></office:body>`
  return [
    ...bombs,
    {
      name: 'laughs.odt',
      mimeType: `${OPEN_DOCUMENT}text`,
      ...raw(openDocument(whole(laugh('<office:body><text:p>The end: &e12;</text:p></office:body>'))))
    },
    {
      name: 'deep.odt',
      mimeType: `${OPEN_DOCUMENT}text`,
      fails: true,
      ...raw(openDocument(whole('<text:p>'.repeat(300_000))))
    },
    { name: 'deep.pptx', mimeType: PPTX, fails: true, ...raw(presentation(whole('<p:sp>'.repeat(300_000)))) },
    { name: 'repeats.ods', mimeType: `${OPEN_DOCUMENT}spreadsheet`, ...raw(openDocument(whole(sheet))) },
    { name: 'long.epub', mimeType: EPUB, ...raw(book(whole(`<p>${'a word '.repeat(2_000_000)}</p>`))) },
    { name: 'deep.epub', mimeType: EPUB, ...raw(book(whole(`${'<div>'.repeat(100_000)}deep`))) }
  ]
}

/** Builds mail files, RTF files and source code. */
function furtherTexts(isWhole) {
  const size = (isWhole ? 40 : 4) * MB
  const mail = (text) => ({
    mimeType: 'message/rfc822',
    text: `From: Nils <nils@example.com>\r\nSubject: odd\r\n${text}`
  })
  return [
    { name: 'nested.eml', ...mail(`${'Content-Type: message/rfc822\r\n\r\n'.repeat(2000)}The innermost mail.`) },
    { name: 'open.eml', ...mail('Content-Type: multipart/mixed; boundary="never"\r\n\r\nThe border never comes.') },
    { name: 'large.eml', ...mail('\r\nA line of a mail.\r\n'), size },
    { name: 'groups.rtf', mimeType: 'application/rtf', fails: true, text: `{\\rtf1${'{'.repeat(3_000_000)}` },
    { name: 'letters.rtf', mimeType: 'application/rtf', text: `{\\rtf1 ${"\\'e4\\u228?".repeat(500_000)}}` },
    { name: 'no rtf.rtf', mimeType: 'application/rtf', fails: true, text: 'I am a text.' },
    { name: 'large.ts', mimeType: 'application/typescript', text: 'export const a = [[[[1]]]]\n', size },
    { name: 'one line.js', mimeType: 'text/javascript', text: `f(${'['.repeat(500_000)}` }
  ]
}

/** Returns mails that violate the standards in many ways. */
export function hostileMails() {
  const nested = (depth) =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\nThe innermost part.\r\n'
      : `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${nested(depth - 1)}`
  const head = 'From: Nils <nils@example.com>\r\nTo: mara.lindqvist@example.com\r\n'
  return [
    'no head at all',
    '\r\n\r\n',
    `${head}Subject: open\r\nContent-Type: multipart/mixed; boundary="never"\r\n\r\nThe border never comes.`,
    `${head}Subject: =?utf-8?B?////?= =?x-none?Q?=ZZ?=\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!! not base64 ****`,
    `${head}Subject: nested\r\n${nested(300)}`,
    `${head}Subject: \u001b[31mred\u0000 \u202egnp\r\n\r\nA subject that steers.`,
    `${head}Subject: ${'s'.repeat(100_000)}\r\n\r\nA long subject.`,
    `${head}${'X-Many: header\r\n'.repeat(20_000)}\r\nMany headers.`,
    `From: ${'a@b, '.repeat(10_000)}\r\nSubject: many\r\n\r\nMany senders.`,
    `${head}Date: the day before yesterday\r\nMessage-ID: <\u0000>\r\nReferences: ${'<x@y> '.repeat(5000)}\r\n\r\nNo date.`,
    `${head}Content-Type: text/html\r\n\r\n${'<table><tr><td>'.repeat(30_000)}deep in tables`,
    `${head}Content-Type: text/plain; charset=utf-7\r\n\r\n+ADw-script+AD4-`,
    `${head}Content-Type: message/rfc822\r\n\r\nContent-Type: message/rfc822\r\n\r\nFrom: x\r\n\r\nA mail in a mail.`
  ]
}

function paragraph(text) {
  return `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`
}

function docx(document) {
  return zip([['word/document.xml', document]])
}

function xlsx(sheet) {
  const book = '<workbook><sheets><sheet name="s" sheetId="1" r:id="r0"/></sheets></workbook>'
  const relations = '<Relationships><Relationship Id="r0" Type="x" Target="worksheets/s0.xml"/></Relationships>'
  return zip([
    ['xl/workbook.xml', whole(book)],
    ['xl/_rels/workbook.xml.rels', whole(relations)],
    ['xl/worksheets/s0.xml', sheet]
  ])
}

function presentation(slide) {
  const relations =
    '<Relationships><Relationship Id="r0" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide1.xml"/></Relationships>'
  return zip([
    ['ppt/presentation.xml', whole('<p:presentation><p:sldIdLst><p:sldId r:id="r0"/></p:sldIdLst></p:presentation>')],
    ['ppt/_rels/presentation.xml.rels', whole(relations)],
    ['ppt/slides/slide1.xml', slide]
  ])
}

function openDocument(content) {
  return zip([
    ['META-INF/manifest.xml', whole('<manifest:manifest/>')],
    ['content.xml', content]
  ])
}

function book(page) {
  const container =
    '<container><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
  const list =
    '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
  return zip([
    ['META-INF/container.xml', whole(container)],
    ['b.opf', whole(list)],
    ['a.xhtml', page]
  ])
}

function whole(text) {
  return { packed: deflateRawSync(text), size: Buffer.byteLength(text), crc: crc32(text) }
}

/** Builds a ZIP archive of packed members, with the sizes that they declare. */
function zip(members) {
  const [files, directory] = [[], []]
  let at = 0
  for (const [name, { packed, size, crc = 0 }] of members) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc, 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(size, 18)
    facts.writeUInt16LE(name.length, 22)
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(at, 12)
    files.push(Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, entry.subarray(2), Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...files, listed, Buffer.from('PK\u0005\u0006'), end])
}
