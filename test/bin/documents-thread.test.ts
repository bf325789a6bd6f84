import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

function documentsWithin(megabytes: number) {
  const limits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 }
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
