import { expect, test } from 'vitest'
import { rebuildMail } from '../../../../server/providers/mailbox/rebuild-mail.ts'
import { PartOfMessage } from '../../../../server/providers/mailbox/wire.ts'
import { readMail } from '../../../../src/documents/mail/read-mail.ts'

const HEADERS = [
  { name: 'From', value: 'Zoë <zoe@example.org>' },
  { name: 'Subject', value: 'Grüße\r\nBcc: hidden@example.org' },
  { name: 'References', value: '<a@example.org> <b@example.org>' },
  { name: 'X-Other', value: 'left out' }
]

test('rebuilds a message from headers, texts and file names', async () => {
  const mail = await rebuilt({
    mimeType: 'multipart/mixed',
    headers: HEADERS,
    parts: [
      { mimeType: 'multipart/alternative', parts: [text('plain', 'Hello ☕'), text('html', '<p>Hello ☕</p>')] },
      { mimeType: 'video/mp4', filename: "it's (a) film.mp4", body: { attachmentId: 'x', size: 3e7 } }
    ]
  })
  expect(mail).toMatchObject({
    from: { name: 'Zoë', address: 'zoe@example.org' },
    subject: 'Grüße Bcc: hidden@example.org',
    references: ['a@example.org', 'b@example.org'],
    text: 'Hello ☕',
    attachments: ['it_s _a_ film.mp4']
  })
})

test('reads all of several texts', async () => {
  const parts = [
    text('plain', 'One.'),
    text('plain', 'Two.'),
    { mimeType: 'message/rfc822', parts: [text('plain', 'Three.')] }
  ]
  const mail = await rebuilt({ mimeType: 'multipart/mixed', headers: HEADERS, parts })
  expect(mail.text.split(/\n+/)).toEqual(['One.', 'Two.', 'Three.'])
})

test('reads HTML without plain text, and decodes bytes that are not UTF-8 by the named charset', async () => {
  expect((await rebuilt(text('html', '<b>Bold</b> words'))).text).toBe('Bold words')
  const latin = {
    mimeType: 'text/plain',
    headers: [{ name: 'Content-Type', value: 'text/plain; charset="iso-8859-1"' }],
    body: { data: Buffer.from('naïve', 'latin1').toString('base64url') }
  }
  expect((await rebuilt(latin)).text).toBe('naïve')
})

test('builds a message from a tree without texts, or a deep or wide one', async () => {
  expect((await rebuilt({ mimeType: 'image/png', filename: 'a.png' })).attachments).toEqual(['a.png'])
  let deep: object = text('plain', 'deep down')
  for (let level = 0; level < 300; level++) deep = { mimeType: 'multipart/mixed', parts: [deep] }
  expect((await rebuilt(deep)).text).toBe('deep down')
  const wide = { mimeType: 'multipart/mixed', parts: Array.from({ length: 5000 }, () => text('plain', 'wide')) }
  expect((await rebuilt(wide)).text).toMatch(/^wide/)
})

test('survives a tree far deeper than the stack, and an invalid one', async () => {
  let deep: object = text('plain', 'deep down')
  for (let level = 0; level < 100_000; level++) deep = { parts: [deep] }
  expect((await rebuilt(deep)).text).toBe('')
  await expect(rebuilt({ parts: ['no part'] })).rejects.toMatchObject({ kind: 'contract_broken' })
})

async function rebuilt(payload: object) {
  return await readMail(rebuildMail(PartOfMessage.parse(payload)))
}

function text(kind: 'plain' | 'html', said: string) {
  return { mimeType: `text/${kind}`, body: { data: Buffer.from(said).toString('base64url'), size: said.length } }
}
