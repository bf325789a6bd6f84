import { expect, test } from 'vitest'
import { readMail } from '../../../src/documents/mail/read-mail.ts'

test('reads headers: names in other alphabets, addresses, the original message', async () => {
  const mail = await readMail(
    bytes([
      'From: =?UTF-8?B?w4lsw6lub3Jl?= <eleonore@example.org>',
      'To: "Smith, Bob" <bob@example.org>, plain@example.org',
      'Cc: Friends: ann@example.org, ben@example.org;',
      'Subject: =?ISO-8859-1?Q?Gr=FC=DFe?= and more',
      'Message-ID: <three@example.org>',
      'In-Reply-To: <two@example.org>',
      'References: <one@example.org>',
      ' <two@example.org>',
      '',
      'Hello.'
    ])
  )
  expect(mail).toEqual({
    subject: 'Grüße and more',
    from: { name: 'Élénore', address: 'eleonore@example.org' },
    to: [
      { name: 'Smith, Bob', address: 'bob@example.org' },
      { address: 'plain@example.org' },
      { address: 'ann@example.org' },
      { address: 'ben@example.org' }
    ],
    messageId: 'three@example.org',
    references: ['one@example.org', 'two@example.org'],
    text: 'Hello.',
    attachments: [],
    cut: false
  })
})

test('decodes text in the charset that the part names', async () => {
  const head = ['From: a@example.org', 'Content-Type: text/plain; charset=', 'Content-Transfer-Encoding: base64', '']
  const said = async (charset: string, body: Buffer) => {
    const lines = [...head.map((line) => (line.endsWith('charset=') ? line + charset : line)), body.toString('base64')]
    return (await readMail(bytes(lines))).text
  }
  expect(await said('utf-8', Buffer.from('žluťoučký'))).toBe('žluťoučký')
  expect(await said('iso-8859-1', Buffer.from('naïve', 'latin1'))).toBe('naïve')
  expect(await said('windows-1252', Buffer.from([0x93, 0x61, 0x94]))).toBe('“a”')
  expect(await said('koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]))).toBe('При')
  expect(await said('shift_jis', Buffer.from([0x82, 0xb1]))).toBe('こ')
  expect(await said('no-such-charset', Buffer.from('plain'))).toBe('plain')
})

test('decodes headers with bytes of an old charset', async () => {
  const head = 'From: Ren\xe9 <rene@example.org>\r\nSubject: \x93Caf\xe9\x94\r\n\r\nna\xefve'
  expect(await readMail(Buffer.from(head, 'latin1'))).toMatchObject({ subject: '“Café”', from: { name: 'René' } })
  const modern = await readMail(Buffer.from('From: René <rene@example.org>\n\nx'))
  expect(modern).toMatchObject({ from: { name: 'René' } })
})

test('joins flowed lines', async () => {
  const lines = [
    'From: a@example.org',
    'Content-Type: text/plain; format=flowed',
    '',
    'One line that ',
    'flows on.',
    'Two.'
  ]
  expect((await readMail(bytes(lines))).text).toBe('One line that flows on.\nTwo.')
})

test('reads the HTML if there is no plain part, or if that only refers to it', async () => {
  const html =
    '<style>p{}</style><p>Hello <a href="https://example.org/x">there</a>,</p><p>see you &amp; yours.</p><script>x()</script>'
  const only = ['From: a@example.org', 'Content-Type: text/html', '', html]
  expect((await readMail(bytes(only))).text).toBe('Hello there,\n\nsee you & yours.')
  const long = `<p>${'Many words of a letter. '.repeat(20)}</p>`
  expect((await readMail(bytes(alternative('Please use an HTML viewer.', long)))).text).toMatch(/^Many words/)
  expect((await readMail(bytes(alternative('Hello there,', '<p>Hello there, you</p>')))).text).toBe('Hello there,')
})

test('reads tables of data as lines with separate cells, but not layout tables', async () => {
  const data = '<table><tr><th>Boat</th><th>Price</th></tr><tr><td>Kestrel</td><td>340</td></tr></table>'
  const layout =
    '<table><tr><td><table><tr><td><h1>Title</h1></td></tr><tr><td>Text</td></tr></table></td></tr></table>'
  const said = async (html: string) =>
    (await readMail(bytes(['From: a@example.org', 'Content-Type: text/html', '', html]))).text
  expect(await said(data)).toBe('Boat | Price\nKestrel | 340')
  expect((await said(layout)).split(/\n+/)).toEqual(['Title', 'Text'])
})

test('lists attached files, but not inline pictures', async () => {
  const lines = [
    'From: a@example.org',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/pdf',
    "Content-Disposition: attachment; filename*=UTF-8''%D1%84.pdf",
    '',
    'x',
    '--b',
    'Content-Type: image/png; name=logo.png',
    'Content-Disposition: inline; filename=logo.png',
    '',
    'x',
    '--b--'
  ]
  expect(await readMail(bytes(lines))).toMatchObject({ text: 'See the file.', attachments: ['ф.pdf'] })
})

test('reads an embedded message as forwarded', async () => {
  const lines = [
    'From: a@example.org',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Look at this.',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: c@example.org',
    'Subject: Inner',
    '',
    'The inner text.',
    '--b--'
  ]
  const { text, forwarded } = await readMail(bytes(lines))
  expect(text).toBe('Look at this.')
  expect(forwarded).toMatchObject([{ text: 'The inner text.' }])
})

test('omits invisible text, such as the preview of newsletters', async () => {
  const html = `<div>Read me${'&#847; &zwnj; '.repeat(50)}</div><div hidden>not me</div><div style="color:red; display:none">nor me</div>`
  const { text } = await readMail(bytes(['From: a@example.org', 'Content-Type: text/html', '', html]))
  expect(text).toBe('Read me')
})

test('reads an empty message', async () => {
  expect(await readMail(new Uint8Array())).toEqual({ to: [], references: [], text: '', attachments: [], cut: false })
})

function alternative(text: string, html: string): string[] {
  return [
    'From: a@example.org',
    'Content-Type: multipart/alternative; boundary=b',
    ...['', '--b', 'Content-Type: text/plain', '', text],
    ...['--b', 'Content-Type: text/html', '', html, '--b--']
  ]
}

function bytes(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join('\r\n'))
}
