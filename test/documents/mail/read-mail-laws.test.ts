import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMail } from '../../../src/documents/mail/read-mail.ts'
import { UnreadableError } from '../../../src/documents/port/unreadable-error.ts'
import { cpuMs } from '../../setup/cpu-time.ts'

const RUNS = process.env.SLOW ? 3000 : 50

/** Far above the actual time, so that only unbounded growth exceeds it. */
const CPU_MS_MAX = 20_000

const HEADERS = [
  'From',
  'To',
  'Subject',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Content-Disposition',
  'References'
]

const VALUES = [
  'a@example.org',
  '"x" <a@example.org>, ;:,<>(',
  'multipart/mixed; boundary=b',
  'multipart/alternative; boundary="b"',
  'message/rfc822',
  'text/html; charset=utf-7',
  'text/plain; charset="; format=flowed; delsp=yes',
  'base64',
  'quoted-printable',
  '=?utf-8?B?/////w==?= =?x?Q?=ZZ?= =?utf-8?Q?=F0=9F?=',
  "attachment; filename*0*=utf-8''%E2%; filename*1=x",
  '<a@b> <c@d>'
]

const BODIES = [
  '--b',
  '--b--',
  '',
  '> quoted',
  'On 3 Mar 2025 at 10:12, Bob <b@example.org> wrote:',
  '-- ',
  'SGVsbG8=!!!',
  '=E4=F6=ZZ=',
  '<table><tr><th>x<td><blockquote>y</b></i><script>',
  '&#xD800;&#1114112;&lt;',
  '\u0000\ud800\u202e'
]

const header = fc
  .tuple(fc.constantFrom(...HEADERS), fc.constantFrom(...VALUES))
  .map(([name, value]) => `${name}: ${value}`)
const line = fc.oneof(header, fc.constantFrom(...BODIES), fc.string({ maxLength: 60 }))

const lines = fc.array(line, { maxLength: 60 }).map((all) => Buffer.from(all.join('\r\n')))
const wild = fc.uint8Array({ maxLength: 3000 })

/** A message-like text with changed bytes. */
const mutated = fc.tuple(lines, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 })).map(([bytes, turns]) => {
  for (const [at, value] of turns) if (bytes.length > 0) bytes[at % bytes.length] = value
  return bytes
})

test('reads anything as a mail, or fails the item permanently', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(lines, wild, mutated), async (bytes) => {
      const read = await readMail(bytes).catch((error: unknown) => error)
      if (read instanceof Error) {
        expect(read).toBeInstanceOf(UnreadableError)
        return
      }
      const said = JSON.stringify(read)
      expect(said).toBe(said.toWellFormed())
      expect(read).toMatchObject({ text: expect.any(String), cut: expect.any(Boolean) })
    }),
    { numRuns: RUNS }
  )
})

const HEAD = 'From: a@example.org\r\nSubject: Re: x\r\nIn-Reply-To: <x@example.org>\r\n'
const HTML = `${HEAD}Content-Type: text/html\r\n\r\n`
const MIXED = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n`

/** Input that makes naive parsers slow or recursive without end. */
const BOMBS: readonly [string, () => string][] = [
  ['10,000 parts', () => `${MIXED}${'--b\r\nContent-Type: text/html\r\n\r\n<p>hi</p>\r\n'.repeat(10_000)}--b--`],
  ['10,000 attachments', () => `${MIXED}${'--b\r\nContent-Type: x/y; name=a\r\n\r\nx\r\n'.repeat(10_000)}--b--`],
  ['5,000 levels of parts', () => HEAD + nested(5000)],
  ['2,000 messages in each other', () => MIXED + '--b\r\nContent-Type: message/rfc822\r\n\r\n'.repeat(2000)],
  ['100,000 levels of HTML', () => `${HTML}${'<div>'.repeat(100_000)}x`],
  ['50,000 rows', () => `${HTML}<table>${'<tr><td>y'.repeat(20_000)}`],
  ['open tags', () => HTML + '<'.repeat(500_000)],
  ['2 MB of header', () => `${HEAD}X-Y: ${'z'.repeat(2_000_000)}\r\n\r\nhi`],
  ['100,000 addresses', () => `From: a@example.org\r\nTo: ${'"x" <a@example.org>, '.repeat(40_000)}\r\n\r\nhi`],
  ['encoded words', () => `Subject: ${'=?utf-8?Q?a?= '.repeat(40_000)}\r\n\r\nhi`],
  ['80,000 lines', () => `${HEAD}\r\n${'a 1 2:\r\n'.repeat(80_000)}`],
  ['quotes', () => `${HEAD}\r\n${'> a\r\nx:\r\n'.repeat(20_000)}`],
  ['a line without end', () => `${HEAD}\r\n${' '.repeat(2_000_000)}x`]
]

test.each(BOMBS)('handles %s in bounded time', async (_, made) => {
  const bytes = Buffer.from(made())
  let read: unknown
  const ms = await cpuMs(async () => {
    read = await readMail(bytes).catch((error: unknown) => error)
  })
  expect(ms).toBeLessThan(CPU_MS_MAX)
  if (read instanceof Error) expect(read).toMatchObject({ name: 'UnreadableError' })
  else expect((read as { text: string }).text.length).toBeLessThanOrEqual(2 ** 20)
})

function nested(levels: number): string {
  return Array.from(
    { length: levels },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`
  ).join('')
}
