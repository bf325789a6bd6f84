import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { nodeClock } from '../../bin/node/clock.ts'
import { workerThread } from '../../bin/node/start-thread.ts'
import { createDocuments } from '../../server/documents/documents.ts'
import { docxOf, paragraph, xlsxOf } from '../server/documents/office-files.ts'
import { linesStream, pdfOf } from '../server/documents/pdf-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'memctl-documents-'))
const program = join(folder, 'documents-thread.mjs')
buildSync({
  entryPoints: [new URL('../../bin/documents-thread.ts', import.meta.url).pathname],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" }
})

afterAll(() => rmSync(folder, { recursive: true }))

const SIGNAL = new AbortController().signal

function documentsWithin(megabytes: number, growthMb = 1024) {
  const limits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16, growthMb }
  return createDocuments({
    startThread: () => workerThread(pathToFileURL(program), undefined, limits),
    clock: nodeClock
  })
}

test('a thread of its own reads every type of file, also as it is bundled', async () => {
  const documents = documentsWithin(512)
  const files = [
    ['docx', docxOf(paragraph('said in Word'))],
    ['xlsx', xlsxOf({ S: '<row><c t="s"><v>0</v></c></row>' }, ['said in Excel'])],
    ['pdf', pdfOf([linesStream(['said in PDF'])])],
    ['html', Buffer.from('<p>said in a page')]
  ] as const
  for (const [type, bytes] of files) expect((await documents.textOf(bytes, type, SIGNAL)).text).toContain('said in')
  const mail = await documents.mailOf(Buffer.from('From: a@example.com\n\nsaid in a mail'), SIGNAL)
  expect(mail.text).toBe('said in a mail')
  await documents.end()
})

test('a file that takes more memory than a thread may have is given up, and nothing else ends', async () => {
  const documents = documentsWithin(64)
  const bomb = docxOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(400_000))
  await expect(documents.textOf(bomb, 'docx', SIGNAL)).rejects.toMatchObject({
    kind: 'item_permanent',
    message: 'reading it takes too much memory'
  })
  expect(await documents.textOf(Buffer.from('still here'), 'text', SIGNAL)).toMatchObject({ text: 'still here' })
  await documents.end()
})

test('a PDF file of which a few bytes unpack to gigabytes is given up before they are there', async () => {
  const documents = documentsWithin(512, 300)
  const once = deflateSync(Buffer.alloc(400 * 1024 * 1024, ' '), { level: 9 })
  const bomb = packedPdf(once)
  const before = process.memoryUsage.rss()
  await expect(documents.textOf(bomb, 'pdf', SIGNAL)).rejects.toMatchObject({
    kind: 'item_permanent',
    message: 'reading it takes too much memory'
  })
  expect(process.memoryUsage.rss() - before).toBeLessThan(1024 * 2 ** 20)
  expect(await documents.textOf(Buffer.from('still here'), 'text', SIGNAL)).toMatchObject({ text: 'still here' })
  await documents.end()
})

/** A PDF file with one page whose content is this, packed by deflate. */
function packedPdf(packed: Uint8Array): Uint8Array {
  const head = `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  const tail = '\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n'
  return Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
}
