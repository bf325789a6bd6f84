import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { splitMbox } from '../../../src/ingest/formats/split-mbox.ts'
import { testFormat } from '../format-suite.ts'
import { batchOf, convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const MBOX = [
  'From 1786543210987654321@xxx Thu Jan 02 09:20:30 +0000 2025',
  'X-GM-THRID: 1786543210987654321',
  'X-Gmail-Labels: Inbox,Opened',
  'From: Ann Lee <ann@example.com>',
  'To: ben@example.com',
  'Subject: The boat',
  'Date: Thu, 02 Jan 2025 10:20:29 +0100',
  'Message-ID: <1@example.com>',
  '',
  'I sold the boat in May.',
  '',
  '>From then on we had no boat.',
  '',
  'From here you see the harbour.',
  '',
  'From 1786543210987654322@xxx Fri Jan 03 09:20:30 +0000 2025',
  'X-GM-THRID: 1786543210987654321',
  'X-Gmail-Labels: Sent',
  'From: Ben <ben@example.com>',
  'To: Ann Lee <ann@example.com>',
  'Subject: Re: The boat',
  'Message-ID: <2@example.com>',
  'In-Reply-To: <1@example.com>',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'The caf=E9 buys its fish elsewhere.',
  '',
  '> I sold the boat in May.',
  '--b',
  'Content-Type: application/pdf; name=bill.pdf',
  'Content-Disposition: attachment; filename=bill.pdf',
  '',
  '%PDF',
  '--b--',
  '',
  'From 1786543210987654323@xxx Sat Jan 04 09:20:30 +0000 2025',
  'X-GM-THRID: 1786543210987654323',
  'X-Gmail-Labels: =?UTF-8?Q?Entw=C3=BCrfe,Ge=C3=B6ffnet?=',
  'Subject: Unfinished',
  '',
  'Dear all',
  ''
].join('\n')

const COPY = `${MBOX.slice(0, MBOX.indexOf('\n\nFrom 17'))}\n`

const MAILDIR = [
  'From: Cleo <cleo@example.com>',
  'Date: 5 Jan 25 08:00 EST',
  'Subject: Tea',
  '',
  'The kettle is in the shed.'
]

testFormat('mail', {
  files: {
    'All mail.mbox': MBOX,
    'Boats.mbox': COPY,
    'maildir/cur/1735.a:2,S': MAILDIR.join('\r\n'),
    'maildir/new/1736.b': 'From: Dan <dan@example.com>\nSubject: Only a subject about lanterns\n\n',
    'maildir/dovecot-uidlist': '3 V1',
    'one.eml': 'From: Eve <eve@example.com>\n\nThe gate is locked at nine.'
  },
  phrases: ['I sold the boat in May', 'The café buys its fish elsewhere', 'The kettle is in the shed', 'locked at nine']
})

async function convert(files: Record<string, string>, options: { me?: string; zone?: string } = {}) {
  const { items, report } = await convertTree(findFormat('mail'), treeOf(files), options)
  return { lines: linesOf(items), report }
}

test('gives the mail of Takeout the thread, the time and the address that Gmail has', async () => {
  const { lines } = await convert({ 'a.mbox': MBOX })
  expect(lines).toMatchObject([
    {
      raw_text: 'I sold the boat in May.\n\nFrom then on we had no boat.\n\nFrom here you see the harbour.',
      speaker: 'Ann Lee',
      at: '2025-01-02T09:20:30.000Z',
      conversation: 'mailbox:18cb1395bace0cb1',
      position: 0,
      metadata: { title: 'The boat', url: 'https://mail.google.com/mail/#all/18cb1395bace0cb1' }
    },
    {
      raw_text: 'The café buys its fish elsewhere.\n\nTo: Ann Lee <ann@example.com>\nAttachments: bill.pdf',
      conversation: 'mailbox:18cb1395bace0cb1',
      position: 1
    }
  ])
})

test('counts drafts, duplicates under another label, and attachments', async () => {
  const { report } = await convert({ 'a.mbox': MBOX, 'b.mbox': COPY })
  expect(report.kinds.mail).toEqual({ seen: 4, taken: 2, merged: 1, left_out: 1 })
  expect(report.losses).toMatchObject([
    { kind: 'attachment', reason: 'damaged', count: 1 },
    { kind: 'mail', reason: 'draft', count: 1 }
  ])
})

test('reads an attached file as an item of its own that names its mail', async () => {
  const part = (name: string, text: string) => [
    ...['--b', `Content-Type: ${name === 'b.png' ? 'image/png' : 'text/plain'}`],
    ...[`Content-Disposition: attachment; filename=${name}`, '', text]
  ]
  const parts = [...part('a.txt', 'The anchor is at the bow.'), ...part('b.png', 'P'), ...part('c.txt', ''), '--b--']
  const head = [
    'From: Eve <eve@example.com>',
    'Subject: Boat',
    'Message-ID: <7@example.com>',
    'Date: 5 Jan 2025 08:00 +0000'
  ]
  const eml = [...head, 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'See the file.', ...parts]
  const { lines, report } = await convert({ 'a.eml': eml.join('\n') })
  expect(lines).toMatchObject([
    { raw_text: 'See the file.\n\nAttachments: a.txt, b.png, c.txt', speaker: 'Eve' },
    {
      raw_text: 'The anchor is at the bow.',
      conversation: 'mailbox:7@example.com/a.txt',
      at: '2025-01-05T08:00:00.000Z',
      metadata: { title: 'a.txt, attached to "Boat"', source: { id: '7@example.com/a.txt' } }
    }
  ])
  expect(lines[1]).not.toHaveProperty('speaker')
  expect(report.losses).toMatchObject([
    { kind: 'attachment', reason: 'empty', count: 1 },
    { kind: 'attachment', reason: 'image', count: 1 }
  ])
})

test('reads a message of a Maildir with the time of its Date header, and leaves out those flagged as drafts', async () => {
  const { lines, report } = await convert({
    'cur/1:2,S': MAILDIR.join('\n'),
    'cur/2:2,DS': MAILDIR.join('\n')
  })
  expect(lines).toMatchObject([{ at: '2025-01-05T13:00:00.000Z', speaker: 'Cleo' }])
  expect(report.losses).toMatchObject([{ reason: 'draft', count: 1 }])
})

test('takes a time without a zone in the zone of the user, and marks it as guessed', async () => {
  const { lines } = await convert({ 'a.eml': 'Date: 5 Jan 2025 08:00\n\nTea.' }, { zone: 'Asia/Tokyo' })
  expect(lines).toMatchObject([{ at: '2025-01-04T23:00:00.000Z', metadata: { zone_guessed: true } }])
})

test('lists the recipients of a message of the user', async () => {
  const mail = 'From: Ben <ben@example.com>\nTo: ann@example.com\n\nTea?'
  expect((await convert({ 'a.eml': mail }, { me: 'Ben@example.com' })).lines[0]?.raw_text).toBe(
    'Tea?\n\nTo: ann@example.com'
  )
})

test('splits an mbox in the same way whatever the size of its chunks', async () => {
  const bytes = new TextEncoder().encode(MBOX.replaceAll('\n', '\r\n'))
  const split = async (size: number) => {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    }
    const found: string[] = []
    for await (const { from, bytes } of splitMbox(chunks())) found.push(`${from}\n${new TextDecoder().decode(bytes)}`)
    return found
  }
  const whole = await split(bytes.length)
  expect(whole).toHaveLength(4)
  for (const size of [1, 2, 3, 7, 64, 255]) expect(await split(size)).toEqual(whole)
})

const FIXTURES = '../shared/fixtures/ingest/mail'

test('takes or accounts for every message of a public collection', async ({ skip }) => {
  skip(!existsSync(FIXTURES), 'the public fixtures are not installed')
  const { report } = await batchOf(FIXTURES)
  expect(report.format).toBe('mail')
  expect(report.seen).toBe(report.taken + report.merged + report.left_out)
  expect(report.kinds.mail?.left_out).toBe(0)
})
