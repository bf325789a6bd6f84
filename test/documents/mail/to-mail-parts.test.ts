import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { readMail } from '../../../src/documents/mail/read-mail.ts'
import { toMailParts } from '../../../src/documents/mail/to-mail-parts.ts'

const AT = Date.parse('2025-03-04T08:00:00Z')
const PLACE = { conversation: 'thread', at: AT, sent: false }

const HEAD = [
  'From: Ada Moreau <ada@example.org>',
  'To: Cleo <cleo@example.org>',
  'Subject: Fwd: The plan',
  'Date: Tue, 4 Mar 2025 09:00:00 +0100'
]

async function partsOf(lines: readonly string[]) {
  return toMailParts(await readMail(Buffer.from([...HEAD, ...lines].join('\r\n'))), PLACE)
}

const OWN = { speaker: 'Ada Moreau', at: AT, conversation: 'thread', position: 0 }

/** The same forwarded message, as mail programs write it, with the time that it has. */
const FORWARDS: readonly [program: string, head: string[], at: string | undefined][] = [
  [
    'Gmail',
    [
      '---------- Forwarded message ---------',
      'From: Bob Smith <bob@example.org>',
      'Date: Mon, Mar 3, 2025 at 10:12\u202fAM',
      'Subject: The plan',
      'To: Ada Moreau <ada@example.org>'
    ],
    '2025-03-03T09:12:00.000Z'
  ],
  [
    'Apple Mail',
    [
      'Begin forwarded message:',
      '',
      'From: Bob Smith <bob@example.org>',
      'Subject: The plan',
      'Date: 3 March 2025 at 10:12:00 GMT',
      'To: Ada Moreau <ada@example.org>'
    ],
    '2025-03-03T10:12:00.000Z'
  ],
  [
    'Outlook',
    [
      '________________________________',
      'From: Bob Smith <bob@example.org>',
      'Sent: Monday, March 3, 2025 10:12 AM',
      'To: Ada Moreau <ada@example.org>',
      'Subject: The plan'
    ],
    '2025-03-03T09:12:00.000Z'
  ],
  [
    'Thunderbird in German',
    [
      '-------- Weitergeleitete Nachricht --------',
      'Betreff: The plan',
      'Datum: Mon, 3 Mar 2025 10:12:00 +0200',
      'Von: Bob Smith <bob@example.org>',
      'An: Ada Moreau <ada@example.org>'
    ],
    '2025-03-03T08:12:00.000Z'
  ]
]

test.each(FORWARDS)('gives a message that %s forwarded its own sender and time', async (_, head, at) => {
  const parts = await partsOf([
    'Content-Type: text/plain; charset=utf-8',
    '',
    'For you.',
    '',
    ...head,
    '',
    'We sail in May.'
  ])
  expect(parts).toEqual([
    { ...OWN, text: 'For you.' },
    {
      text: 'We sail in May.\n\nTo: Ada Moreau <ada@example.org>\nForwarded by: Ada Moreau <ada@example.org>',
      speaker: 'Bob Smith',
      at: Date.parse(at ?? ''),
      conversation: 'thread',
      position: 0
    }
  ])
})

test('keeps an ambiguous date as it was written, and splits a message that was forwarded twice', async () => {
  const parts = await partsOf([
    '',
    '---------- Forwarded message ---------',
    'From: Bob <bob@example.org>',
    'Date: 03.04.2025 um 10:12',
    '',
    'See Eve.',
    '',
    '---------- Forwarded message ---------',
    'From: eve@example.org',
    'Date: Sun, 2 Mar 2025 07:00:00 +0000',
    '',
    'The hull leaks.'
  ])
  expect(parts.map(({ text, speaker, at }) => [speaker, at, text])).toEqual([
    ['Ada Moreau', AT, 'Fwd: The plan'],
    ['Bob', undefined, 'See Eve.\n\nDate: 03.04.2025 um 10:12\nForwarded by: Ada Moreau <ada@example.org>'],
    [
      'eve@example.org',
      Date.parse('2025-03-02T07:00:00Z'),
      'The hull leaks.\n\nForwarded by: Ada Moreau <ada@example.org>'
    ]
  ])
})

test('leaves a rule without the headers of a message in the text', async () => {
  const text = 'One.\n\n---------- Part two ---------\n\nBoat: Kestrel\nDate: 3 March 2025'
  expect(await partsOf(['', ...text.split('\n')])).toEqual([{ ...OWN, text }])
})

const INNER = [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'As we said.',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'From: Bob Smith <bob@example.org>',
  'To: ada@example.org',
  'Date: Mon, 3 Mar 2025 10:12:00 +0100',
  'Subject: The plan',
  '',
  'We sail in May.',
  '',
  '-- ',
  'Bob',
  '--b--'
]

test('gives a message that is a part of another one its own sender and time', async () => {
  const parts = await partsOf(INNER)
  expect(parts.map(({ text, speaker, at }) => [speaker, at, text])).toEqual([
    ['Ada Moreau', AT, 'As we said.'],
    [
      'Bob Smith',
      Date.parse('2025-03-03T09:12:00Z'),
      'We sail in May.\n\nTo: ada@example.org\nForwarded by: Ada Moreau <ada@example.org>'
    ]
  ])
})

test('treats a message that is attached as a file like any other file', async () => {
  const lines = INNER.join('\r\n').replace(
    'message/rfc822',
    'message/rfc822\r\nContent-Disposition: attachment; filename=plan.eml'
  )
  const mail = await readMail(Buffer.from([...HEAD, lines].join('\r\n')), undefined, { withFiles: true })
  expect(mail.forwarded).toBeUndefined()
  expect(mail.files?.map(({ name, type }) => [name, type])).toEqual([['plan.eml', 'message/rfc822']])
  expect(toMailParts(mail, PLACE)).toEqual([{ ...OWN, text: 'As we said.\n\nAttachments: plan.eml' }])
})

const INVITATION = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'SUMMARY:Sea trial\\, part two',
  'DTSTART;TZID="Europe/Berlin":20250310T100000',
  'DTEND;TZID="Europe/Berlin":20250310T113000',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'LOCATION:Pier 4\\nNorth side',
  'ORGANIZER;CN="Smith, Bob":mailto:bob@example.org',
  'ATTENDEE;CN=Ada Moreau;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:ada@examp',
  ' le.org',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:cleo@example.org',
  'BEGIN:VALARM',
  'SUMMARY:Wake up',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR'
]

const toCalendarMail = (lines: readonly string[]) => [
  'Content-Type: multipart/mixed; boundary=b',
  ...['', '--b', '', 'Please come.', '--b'],
  ...['Content-Type: text/calendar; charset=utf-8; method=REQUEST', '', ...lines, '--b'],
  ...['Content-Type: application/ics; name=invite.ics', 'Content-Disposition: attachment', '', ...lines, '--b--']
]

test('writes a calendar invitation with its times, zone, place, organizer and answers, once', async () => {
  const [part, ...others] = await partsOf(toCalendarMail(INVITATION))
  expect(others).toEqual([])
  expect(part?.text).toBe(
    [
      'Please come.',
      '',
      'Invitation: Sea trial, part two',
      'Start: 2025-03-10 10:00 Europe/Berlin',
      'End: 2025-03-10 11:30 Europe/Berlin',
      'Repeats: FREQ=WEEKLY;COUNT=3',
      'Location: Pier 4 North side',
      'Organizer: Smith, Bob <bob@example.org>',
      'Attendees: Ada Moreau <ada@example.org> (accepted), cleo@example.org (no answer)',
      '',
      'Attachments: invite.ics'
    ].join('\n')
  )
})

test.each([
  ['METHOD:CANCEL', 'DTSTART:20250310T090000Z', 'Cancelled: Tea\nStart: 2025-03-10 09:00 UTC'],
  ['METHOD:REPLY', 'DTSTART;VALUE=DATE:20250310', 'Reply to the invitation: Tea\nStart: 2025-03-10'],
  ['METHOD:REQUEST', 'STATUS:CANCELLED', 'Cancelled: Tea'],
  ['X-ODD:1', 'DTSTART:soon', 'Invitation: Tea']
])('names what a calendar object with %s and %s means', async (method, line, expected) => {
  const [part] = await partsOf(toCalendarMail([method, 'BEGIN:VEVENT', 'SUMMARY:Tea', line, 'END:VEVENT']))
  expect(part?.text).toBe(`Please come.\n\n${expected}\n\nAttachments: invite.ics`)
})
