import { Buffer } from 'node:buffer'

export type MailFile = { name: string; type: string; bytes: Uint8Array }

/** What a message is made of. Names and addresses as in `Ada Moreau <ada@example.com>`. */
export type Draft = {
  from: string
  to: readonly string[]
  cc?: readonly string[]
  subject: string
  /** Milliseconds since 1970. */
  at: number
  /** With angle brackets. */
  messageId: string
  references?: readonly string[]
  text?: string
  html?: string
  files?: readonly MailFile[]
  /** Further ones, as in a mailing list's. */
  headers?: Readonly<Record<string, string>>
}

/** A message as it travels: RFC 5322 with MIME. */
export function compose(draft: Draft): Uint8Array {
  const { from, to, cc = [], subject, at, messageId, references = [], headers = {} } = draft
  const answered = references.at(-1)
  const lines = [
    `From: ${address(from)}`,
    `To: ${to.map(address).join(',\r\n ')}`,
    ...(cc.length > 0 ? [`Cc: ${cc.map(address).join(',\r\n ')}`] : []),
    `Subject: ${word(subject)}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId}`,
    ...(answered === undefined ? [] : [`In-Reply-To: ${answered}`, `References: ${references.join('\r\n ')}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    ...bodyOf(draft)
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

function bodyOf({ text, html, files = [] }: Draft): string[] {
  const texts = [
    ...(text !== undefined || html === undefined ? [textPart('plain', text ?? '')] : []),
    ...(html === undefined ? [] : [textPart('html', html)])
  ]
  const body = texts.length === 1 ? (texts[0] ?? []) : multipart('alternative', texts)
  return files.length === 0 ? body : multipart('mixed', [body, ...files.map(filePart)])
}

/** Boundaries hold `=_`, which neither text in 7 bits here nor base64 has at the start of a line. */
function multipart(kind: string, parts: readonly (readonly string[])[]): string[] {
  const boundary = `=_${kind}_${parts.length}`
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`
  ]
}

function textPart(kind: 'plain' | 'html', text: string): string[] {
  const isPlain =
    /^[\n -~]*$/.test(text) && text.split('\n').every((line) => line.length < 990 && !line.startsWith('--='))
  return [
    `Content-Type: text/${kind}; charset=UTF-8`,
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    '',
    ...(isPlain ? text.split('\n') : base64(Buffer.from(text)))
  ]
}

function filePart({ name, type, bytes }: MailFile): string[] {
  return [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`,
    '',
    ...base64(bytes)
  ]
}

function base64(bytes: Uint8Array): string[] {
  return (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  )
}

function address(said: string): string {
  const [, name, mail] = /^(.*?)\s*<([^<>]*)>$/s.exec(said) ?? []
  if (name === undefined || mail === undefined || name === '') return said
  return `${/^[\w .]*$/.test(name) ? name : word(name)} <${mail}>`
}

/** Encoded words where a header's text is not plain (RFC 2047): each of whole letters and at most 75 signs long. */
function word(text: string): string {
  if (/^[ -<>-~]*$/.test(text) && text.length < 900) return text
  const pieces: string[] = ['']
  for (const letter of text.toWellFormed()) {
    const longer = `${pieces.at(-1)}${letter}`
    if (Buffer.byteLength(longer) > 42) pieces.push(letter)
    else pieces[pieces.length - 1] = longer
  }
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ')
}
