import { expect, test } from 'vitest'
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
    version: 'mail-2',
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
