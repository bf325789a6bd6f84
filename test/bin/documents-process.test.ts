import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { childThread } from '../../bin/node/threads/child-thread.ts'
import { DOCUMENT_TYPES } from '../../src/documents/port/document-reader.ts'
import type { Clock, Thread } from '../../src/ports.ts'
import { readers } from '../documents/documents-kit.ts'
import { hiddenPdf } from '../documents/hostile-files.ts'
import { docxOf, epubOf, odfOf, paragraph, pptxOf, shape, xlsxOf } from '../documents/office-files.ts'
import { linesStream, pdfOf } from '../documents/pdf-files.ts'
import { until } from '../setup/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'memctl-documents-'))
const program = bundled('../../bin/threads/documents-child.ts', 'documents-child.mjs')

afterAll(() => rmSync(folder, { recursive: true }))

const SIGNAL = new AbortController().signal
const HAS_PROC = existsSync('/proc/self/status')
const MEMORY_BYTES = 320 * 2 ** 20

/** A clock without time limits, because a busy machine may take any time for a file. */
const PATIENT: Clock = { ...nodeClock, wait: (_, signal) => nodeClock.wait(2 ** 31 - 1, signal) }

function bundled(source: string, name: string): string {
  const outfile = join(folder, name)
  buildSync({
    entryPoints: [new URL(source, import.meta.url).pathname],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Under a name that no bundled package declares, as in the build.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'\nconst require = nodeRequire(import.meta.url)"
    }
  })
  return outfile
}

function childReaders() {
  return readers(() => childThread(pathToFileURL(program), { memoryBytes: MEMORY_BYTES }), PATIENT)
}

test('reads every type of file in a child process, also when bundled', async () => {
  const documents = childReaders().of('one')
  const files = [
    ['docx', docxOf(paragraph('said in Word'))],
    ['xlsx', xlsxOf({ S: '<row><c t="s"><v>0</v></c></row>' }, ['said in Excel'])],
    ['pptx', pptxOf([{ xml: shape('title', ['said in a slide']) }])],
    ['odf', odfOf('text', '<text:p>said in OpenDocument</text:p>')],
    ['epub', epubOf({ one: '<p>said in a book' })],
    ['eml', Buffer.from('From: a@example.com\n\nsaid in a mail that was saved')],
    ['rtf', Buffer.from('{\\rtf1 said in RTF}')],
    ['markdown', Buffer.from('# said in Markdown')],
    ['pdf', pdfOf([linesStream(['said in PDF'])])],
    ['html', Buffer.from('<p>said in a page')],
    ['csv', Buffer.from('a,said in a table\n')],
    ['text', Buffer.from(`said in a text${' '.repeat(20_000)}`)]
  ] as const
  expect(files.map(([type]) => type).sort()).toEqual([...DOCUMENT_TYPES].sort())
  for (const [type, bytes] of files) expect((await documents.readText(bytes, type, SIGNAL)).text).toContain('said in')
  const mail = await documents.readMail(Buffer.from('From: a@example.com\n\nsaid in a mail \u{1f600}'), SIGNAL)
  expect(mail.text).toBe('said in a mail \u{1f600}')
  await expect(documents.readText(Buffer.from('none'), 'pdf', SIGNAL)).rejects.toThrow('it is a damaged PDF file')
})

test('transfers a file of the maximum size', async () => {
  const documents = childReaders().of('one')
  const { text, cut } = await documents.readText(Buffer.alloc(50 * 2 ** 20, 'a word '), 'text', SIGNAL)
  expect([text.slice(0, 12), cut]).toEqual(['a word a wor', true])
})

test('ends only the process of a PDF file that unpacks to gigabytes, while another connection keeps reading', async ({
  skip
}) => {
  skip(!HAS_PROC, 'there is no /proc here')
  const all = childReaders()
  const hostile = all.of('one').readText(hiddenPdf(600), 'pdf', SIGNAL)
  const peak = watchedPeak()
  await Promise.all([
    expect(hostile).rejects.toMatchObject({ name: 'UnreadableError', message: 'reading it takes too much memory' }),
    expect(all.of('two').readText(Buffer.from('<p>said by another'), 'html', SIGNAL)).resolves.toMatchObject({
      text: 'said by another'
    })
  ])
  expect(await peak.end()).toBeLessThan(MEMORY_BYTES * 1.25)
  expect((await all.of('one').readText(Buffer.from('<p>still here'), 'html', SIGNAL)).text).toBe('still here')
  expect(all.state().ended.memory).toBe(1)
})

test('replaces a process that uses much of its memory after an answer, so that later files have enough', async () => {
  const thread = childThread(pathToFileURL(program), { memoryBytes: 200 * 2 ** 20 })
  const read = (bytes: Uint8Array) => thread.call('text', { type: 'text', bytes })
  for (let n = 0; n < 6; n++)
    expect(await read(Buffer.alloc(30 * 2 ** 20, 'a word '))).toMatchObject({ done: { cut: true } })
  await thread.end()
})

test('ends the processes of the readers when they are closed', async ({ skip }) => {
  skip(!HAS_PROC, 'there is no /proc here')
  const all = childReaders()
  await all.of('one').readText(Buffer.from('<p>text'), 'html', SIGNAL)
  expect(processes().length).toBe(1)
  await all.end()
  expect(processes()).toEqual([])
})

test('ends a process with its server, however busy it is with a file', async ({ skip }) => {
  skip(!HAS_PROC, 'there is no /proc here')
  const server = join(folder, 'server.mjs')
  bundled('../../bin/node/threads/child-thread.ts', 'start-child.mjs')
  const busy = bundled('./node/busy-child.ts', 'busy-child.mjs')
  writeFileSync(
    server,
    `import { childThread } from './start-child.mjs'
const start = () => childThread(new URL(${JSON.stringify(pathToFileURL(busy).href)}), { memoryBytes: ${MEMORY_BYTES} })
for (const name of ['idle', 'busy']) {
  const child = start()
  await child.call('ready', {})
  if (name === 'busy') child.call('spin', {}).catch(() => undefined)
}
process.stdout.write('ready')
setInterval(() => undefined, 1000)
`
  )
  const parent = spawn(process.execPath, [server], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  expect(processes('busy-child.mjs').length).toBe(2)
  parent.kill('SIGKILL')
  await until(() => processes('busy-child.mjs').length === 0)
})

test('passes a child process only the variables that programs need to start', async () => {
  process.env.MEMCTL_ADMIN_KEY = 'mk_secret'
  const thread: Thread = childThread(pathToFileURL(bundled('./node/busy-child.ts', 'busy-child.mjs')), {
    memoryBytes: MEMORY_BYTES
  })
  try {
    expect(await thread.call('variables', {})).not.toContain('MEMCTL_ADMIN_KEY')
  } finally {
    delete process.env.MEMCTL_ADMIN_KEY
    await thread.end()
  }
})

/** Returns the process ids of children that run a program of this test. */
function processes(name = 'documents-child.mjs'): string[] {
  const path = join(folder, name)
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).split('\0').includes(path))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Watches the largest resident memory of the test's children until it is ended, in bytes. */
function watchedPeak(): { end(): Promise<number> } {
  let peak = 0
  let isOver = false
  const watching = until(() => {
    peak = Math.max(peak, ...processes().map(peakOf))
    return isOver
  })
  return {
    async end() {
      isOver = true
      await watching
      return peak
    }
  }
}

function peakOf(pid: string): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
