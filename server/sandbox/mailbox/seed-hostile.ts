/**
 * What mail programs out there really send, and what nobody should: broken MIME, wrong charsets, names that try things. Letters are
 * bytes where it matters: these are taken as latin1.
 */
export const HOSTILE_MAILS: readonly { daysAgo: number; raw: string }[] = [
  {
    daysAgo: 35,
    raw: mail(
      '"\\"><script>alert(1)</script>" <x@attacker.example>',
      'Escape \u001b[31mred\u001b[0m \u001b]0;title\u0007',
      ['Content-Type: text/plain', '', 'The subject tries to paint your terminal red.']
    )
  },
  {
    daysAgo: 33,
    raw: mail(
      `=?UTF-8?B?${b64('\u202egnp.exe\u202c Bidi Sender')}?= <bidi@attacker.example>`,
      'Name with an override',
      ['Content-Type: text/plain; charset=utf-8', '', 'The name of the sender turns around.']
    )
  },
  {
    daysAgo: 30,
    raw: mail(`${'Long'.repeat(2560)} <long@attacker.example>`, 'L'.repeat(10_000), [
      'Content-Type: text/plain',
      '',
      'Name and subject have ten thousand letters each.'
    ])
  },
  {
    daysAgo: 27,
    raw: mail('Broken Base <base@attacker.example>', 'Bad base64', [
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      'SGVsbG8g!!!!d29ybGQ=%%%trailing~~~'
    ])
  },
  {
    daysAgo: 24,
    raw: mail('No End <open@attacker.example>', 'A boundary that never ends', [
      'Content-Type: multipart/mixed; boundary="never"',
      '',
      'preamble',
      '--never',
      'Content-Type: text/plain',
      '',
      'The last part is not closed, and the message stops'
    ])
  },
  {
    daysAgo: 21,
    raw: mail('Wrong Charset <charset@attacker.example>', 'Caf\xe9 au lait', [
      'Content-Type: text/plain; charset=x-unknown-charset',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Caf\xe9, na\xefve, \x93quoted\x94: bytes of windows-1252 that call themselves something else.'
    ])
  },
  {
    daysAgo: 18,
    raw: mail('Deep Nest <deep@attacker.example>', 'Forty levels', [...nested(40), 'at the bottom', ...closed(40)])
  },
  { daysAgo: 15, raw: 'no header at all, only this line\r\n' },
  {
    daysAgo: 12,
    raw: mail('Attach <attach@attacker.example>', 'A file with a path', [
      'Content-Type: multipart/mixed; boundary=b1',
      '',
      '--b1',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>See the <b>file</b>.</p><script>document.location="https://attacker.example"</script><img src="https://attacker.example/seen.gif">',
      '--b1',
      'Content-Type: application/octet-stream; name="../../etc/passwd"',
      'Content-Disposition: attachment; filename="../../etc/passwd"',
      '',
      'root',
      '--b1--'
    ])
  }
]

function mail(from: string, subject: string, rest: readonly string[]): string {
  const head = [`From: ${from}`, 'To: Clio Jensen <clio.jensen@example.org>', `Subject: ${subject}`]
  return `${[...head, 'MIME-Version: 1.0', ...rest].join('\r\n')}\r\n`
}

function nested(levels: number): string[] {
  return Array.from({ length: levels }, (_, at) => [`Content-Type: multipart/mixed; boundary="n${at}"`, '', `--n${at}`])
    .flat()
    .concat('Content-Type: text/plain', '')
}

function closed(levels: number): string[] {
  return Array.from({ length: levels }, (_, at) => `--n${levels - 1 - at}--`)
}

function b64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
