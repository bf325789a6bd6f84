import { Buffer } from 'node:buffer'
import { expect, test, vi } from 'vitest'
import { mailboxProvider } from '../../../../server/providers/mailbox/mailbox-provider.ts'
import type { ItemContent } from '../../../../server/providers/port/provider.ts'
import { ADA, BEN, CLIO, mailKit, wantedIds } from './mail-kit.ts'

test('reads a message with its text, sender, time and thread', async () => {
  const kit = await mailKit()
  const { id: question } = await kit.change('receive', { subject: 'Lunch', text: 'At noon?' })
  const { id, thread_id } = await kit.change('receive', {
    from: 'Zoë Kravets <zoe@example.org>',
    subject: 'Re: Lunch',
    text: 'Gladly.\n\nOn 1 May 2026 at 12:00, Ada Moreau wrote:\n> At noon?',
    reply_to: question,
    attachments: [{ name: 'menu.pdf', type: 'application/pdf', base64: 'JVBERg==' }]
  })
  const content = await mailboxProvider.read(kit.call, id)
  expect(content).toEqual({
    id,
    version: 'mail-3',
    title: 'Re: Lunch',
    url: `https://mail.google.com/mail/#all/${id}`,
    parts: [
      {
        text: 'Gladly.\n\nAttachments: menu.pdf',
        at: Date.parse('2026-05-01T12:00:00Z'),
        speaker: 'Zoë Kravets',
        conversation: thread_id,
        position: 1
      }
    ]
  })
  expect(kit.complaints).toEqual([])
})

test('uses the subject of a message without text', async () => {
  const kit = await mailKit()
  const { id } = await kit.change('receive', { subject: 'The ferry leaves at six', text: ' \n' })
  const { title, parts } = await mailboxProvider.read(kit.call, id)
  expect([title, parts.map(({ text }) => text)]).toEqual(['The ferry leaves at six', ['The ferry leaves at six']])
  const attachments = [{ name: 'map.pdf', type: 'application/pdf', base64: 'JVBERg==' }]
  const { id: other } = await kit.change('receive', { subject: 'The way there', text: '', attachments })
  expect((await mailboxProvider.read(kit.call, other)).parts[0]?.text).toBe('The way there\n\nAttachments: map.pdf')
  const { id: silent } = await kit.change('receive', { subject: '', text: '' })
  expect((await mailboxProvider.read(kit.call, silent)).parts).toEqual([])
})

test("adds the recipients to the account's own messages", async () => {
  const kit = await mailKit()
  const { id } = await kit.change('receive', {
    from: 'Ada Moreau <ada.moreau@harbourlight.example>',
    to: ['Ben <ben@example.com>', 'clio@example.org'],
    text: 'Hello both.',
    labels: ['SENT']
  })
  const { parts } = await mailboxProvider.read(kit.call, id)
  expect(parts[0]?.text).toBe('Hello both.\n\nTo: Ben <ben@example.com>, clio@example.org')
})

test('reads every seeded message, including malformed ones', async () => {
  for (const account of [ADA, BEN, CLIO]) {
    const kit = await mailKit({ account })
    for (const id of wantedIds(kit.content)) {
      const content = await mailboxProvider.read(kit.call, id)
      expect(content.parts.length, `${account} ${content.title}`).toBeLessThanOrEqual(1)
    }
    expect(kit.complaints).toEqual([])
  }
})

test('treats deleted messages, trash, spam, drafts and chats as gone', async () => {
  const kit = await mailKit()
  await expect(mailboxProvider.read(kit.call, '0000000000000000')).rejects.toMatchObject({ kind: 'item_gone' })
  for (const label of ['TRASH', 'SPAM', 'DRAFT', 'CHAT']) {
    const { id } = await kit.change('receive', { labels: [label] })
    await expect(mailboxProvider.read(kit.call, id), label).rejects.toMatchObject({ kind: 'item_gone' })
  }
})

test('reads the texts and file names of a message that is too large to fetch', async () => {
  const kit = await mailKit()
  const { id } = await kit.change('receive', {
    subject: 'Photos – große',
    text: 'Here they are, naïvely large.',
    html: '<p>Here they are, naïvely <b>large</b>.</p>',
    attachments: [{ name: 'фото 1.raw', size: 10 * 2 ** 20 }]
  })
  const content = await mailboxProvider.read(kit.call, id)
  expect(content.title).toBe('Photos – große')
  expect(content.parts).toMatchObject([
    { text: 'Here they are, naïvely large.\n\nAttachments: фото 1.raw', speaker: 'Nora Lindqvist' }
  ])
  expect(kit.complaints).toEqual([])
})

test('encodes an id as one segment of the path', async () => {
  const kit = await mailKit()
  await expect(mailboxProvider.read(kit.call, '../profile?x=1#')).rejects.toMatchObject({ kind: 'item_gone' })
  expect(kit.calls).toEqual(['/gmail/v1/users/me/messages/..%2Fprofile%3Fx%3D1%23'])
})

test('passes hostile names through unchanged', async () => {
  const kit = await mailKit({ account: CLIO })
  const contents: ItemContent[] = []
  for (const id of wantedIds(kit.content)) contents.push(await mailboxProvider.read(kit.call, id))
  expect(contents.some(({ title }) => title === 'L'.repeat(10_000))).toBe(true)
  expect(contents.some(({ title }) => title?.startsWith('Escape \u001b[31mred'))).toBe(true)
  const speakers = contents.flatMap(({ parts }) => parts.map(({ speaker }) => speaker))
  expect(speakers).toContain('\u202egnp.exe\u202c Bidi Sender')
  expect(speakers).toContain('"><script>alert(1)</script>')
})

test('identifies the account by its address in lower case', async () => {
  const kit = await mailKit()
  expect(await mailboxProvider.identify(kit.call)).toEqual({
    id: 'ada.moreau@harbourlight.example',
    name: 'Ada.Moreau@harbourlight.example'
  })
})

test('rejects an aborted call with the reason of its signal', async () => {
  const kit = await mailKit()
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  const call = { ...kit.call, signal: stop.signal }
  await expect(mailboxProvider.read(call, 'x')).rejects.toThrow('enough')
  await expect(mailboxProvider.changes(call, { selection: [], cursor: undefined })).rejects.toThrow('enough')
})

const WITH_FILES = { attachmentBytesMax: 2000, comments: false }

test('reads an attachment as an item that names its mail, with the time of the mail', async () => {
  const kit = await mailKit()
  const readText = vi.fn(async (bytes: Uint8Array) => ({ text: Buffer.from(bytes).toString(), cut: false }))
  const call = { ...kit.call, reads: WITH_FILES, documents: { ...kit.call.documents, readText } }
  const { id, thread_id } = await kit.change('receive', {
    subject: 'The  plan',
    text: 'See below.',
    attachments: [{ name: 'dates.txt', type: 'text/plain', base64: Buffer.from('Launch in May.').toString('base64') }]
  })
  const { attached } = await mailboxProvider.read(call, id)

  expect(attached).toEqual([{ id: `${id}/1`, version: 'file-1', place: id, title: 'dates.txt' }])
  expect(await mailboxProvider.read(call, `${id}/1`)).toEqual({
    id: `${id}/1`,
    version: 'file-1',
    title: 'dates.txt, attached to "The  plan"',
    url: `https://mail.google.com/mail/#all/${id}`,
    parts: [{ text: 'Launch in May.', conversation: `${thread_id}/dates.txt`, at: Date.parse('2026-05-01T12:00:00Z') }]
  })
  expect(await mailboxProvider.lookUp?.(call, { id: `${id}/1` }, [])).toMatchObject({ id: `${id}/1`, place: id })
  expect(kit.calls).toContainEqual(expect.stringMatching(/\/attachments\//))
  expect(kit.complaints).toEqual([])
})

test('gives a reason for each attachment that is not read', async () => {
  const kit = await mailKit()
  const call = { ...kit.call, reads: WITH_FILES }
  const many = Array.from({ length: 19 }, (_, at) => ({ name: `${at}.txt`, type: 'text/plain', base64: 'SGk=' }))
  const attachments = [
    { name: 'me.png', type: 'image/png' },
    { name: 'big.txt', type: 'text/plain', size: 2001 },
    ...many
  ]
  const { id } = await kit.change('receive', { text: 'All of them.', attachments })
  const { attached = [] } = await mailboxProvider.read(call, id)

  expect(attached).toHaveLength(21)
  expect(attached.filter(({ skipped }) => skipped !== undefined).map(({ title, skipped }) => [title, skipped])).toEqual(
    [
      ['me.png', 'it is an image, which has no text'],
      ['big.txt', 'it is larger than the limit of attachments, 2 KiB'],
      ['18.txt', 'only the first 20 attachments of a mail are read']
    ]
  )
})

test('reads no attachments if they are off, and those of a deleted message are gone', async () => {
  const kit = await mailKit()
  const attachments = [{ name: 'a.txt', type: 'text/plain', base64: 'SGk=' }]
  const { id } = await kit.change('receive', { text: 'One.', attachments })
  expect((await mailboxProvider.read(kit.call, id)).attached).toBeUndefined()
  await expect(mailboxProvider.read(kit.call, `${id}/1`)).rejects.toMatchObject({ kind: 'item_gone' })
  expect(await mailboxProvider.lookUp?.(kit.call, { id: `${id}/1` }, [])).toBe('absent')
  const call = { ...kit.call, reads: WITH_FILES }
  await kit.change('delete', { id })
  await expect(mailboxProvider.read(call, `${id}/1`)).rejects.toMatchObject({ kind: 'item_gone' })
  expect(await mailboxProvider.lookUp?.(call, { id: `${id}/1` }, [])).toBe('absent')
})

test('reads an attachment of a message that is too large to fetch as a whole', async () => {
  const kit = await mailKit()
  const readText = vi.fn(async (bytes: Uint8Array) => ({ text: Buffer.from(bytes).toString(), cut: false }))
  const reads = { attachmentBytesMax: 20 * 2 ** 20, comments: false }
  const call = { ...kit.call, reads, documents: { ...kit.call.documents, readText } }
  const attachments = [
    { name: 'film.mp4', type: 'video/mp4', size: 12 * 2 ** 20 },
    { name: 'cast.txt', type: 'text/plain', base64: 'QWRh' }
  ]
  const { id } = await kit.change('receive', { text: 'The film.', attachments })
  const { attached = [] } = await mailboxProvider.read(call, id)

  expect(attached.map(({ title, skipped }) => [title, skipped])).toEqual([
    ['film.mp4', 'it is a video, which has no text'],
    ['cast.txt', undefined]
  ])
  expect((await mailboxProvider.read(call, `${id}/2`)).parts[0]?.text).toBe('Ada')
})
