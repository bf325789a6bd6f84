import { expect, test } from 'vitest'
import { extractOwnWords } from '../../../src/documents/mail/extract-own-words.ts'

const REPLY = { subject: 'Re: The plan', isReply: true }
const NEW = { subject: 'The plan', isReply: false }

/** The line that introduces a quote, as mail programs of several languages write it. */
const ATTRIBUTIONS = [
  'On Mon, 3 Mar 2025 at 10:12, Bob Smith <bob@example.org> wrote:',
  'On 03/03/2025 10:12, Bob wrote:',
  'On Mon, Mar 3, 2025 at 10:12 AM A Person With A Rather Long Name\n<someone@example.org> wrote:',
  'Am 03.03.2025 um 10:12 schrieb Bob:',
  'Le lun. 3 mars 2025 à 10:12, Bob <bob@example.org> a écrit :',
  'El lun, 3 mar 2025 a las 10:12, Bob (<bob@example.org>) escribió:',
  '2025年3月3日(月) 10:12 Bob <bob@example.org>:',
  'Den mån 3 mars 2025 kl 10:12 skrev Bob <bob@example.org>:',
  'пн, 3 мар. 2025 г. в 10:12, Bob <bob@example.org>:',
  'bob@example.org wrote:'
]

test.each(ATTRIBUTIONS)('removes a quote with its introduction %j', (line) => {
  expect(extractOwnWords(`Yes.\n\n${line}\n> Shall we?\n>\n> Bob`, REPLY)).toBe('Yes.')
  expect(extractOwnWords(`Yes.\n\n${line}\n\n> Shall we?`, REPLY)).toBe('Yes.')
})

test('keeps quotes that are answered beneath, with who wrote them and when', () => {
  const text = 'Bob wrote on 3.3.2025:\n> One?\nFirst answer.\n\n> Two?\n> Really?\n\nSecond answer.'
  expect(extractOwnWords(text, REPLY)).toBe(text)
  const mixed = `See below.\n\n${text}\n\n> Three?\n> Bob`
  expect(extractOwnWords(mixed, REPLY)).toBe(`See below.\n\n${text}`)
})

test('keeps the last lines of a long quote that is answered beneath', () => {
  const quoted = Array.from({ length: 30 }, (_, at) => `> Line ${at}.`)
  const text = ['On 3 Mar 2025 at 10:12, Bob wrote:', ...quoted, '', 'Yes.']
  expect(extractOwnWords(text.join('\n'), REPLY)).toBe([text[0], ...quoted.slice(-10), '', 'Yes.'].join('\n'))
})

test('removes the quote of a reply that has words above it and a footer below', () => {
  const text = 'Yes.\n\nOn 3 Mar 2025 at 10:12, Bob wrote:\n> Shall we?\n\nSent with a telephone'
  expect(extractOwnWords(text, REPLY)).toBe('Yes.\n\nSent with a telephone')
})

test('keeps words above a quote that only have numbers', () => {
  const text = 'To your points 2 and 3:\n> One?\nYes.'
  expect(extractOwnWords(text, REPLY)).toBe('To your points 2 and 3:\nYes.')
})

test('keeps marked lines of a message that is not a reply, unless an introduction precedes them', () => {
  expect(extractOwnWords('My log:\n\n> npm start\n> done', NEW)).toBe('My log:\n\n> npm start\n> done')
  expect(extractOwnWords('Look.\n\nOn 3 Mar 2025 at 10:12, Bob wrote:\n> Hello', NEW)).toBe('Look.')
})

test.each([
  ['From: Bob <bob@example.org>\nSent: Monday, 3 March 2025 10:12\nTo: Ada\nSubject: The plan', 'Re: The plan'],
  ['Von: Bob <bob@example.org>\nGesendet: Montag, 3. März 2025 10:12\nAn: Ada\nBetreff: AW: The plan', 'AW: The plan'],
  ['*De :* Bob\n*Envoyé :* lundi 3 mars 2025 10:12\n*À :* Ada\n*Objet :* The plan', 'RE: The plan'],
  ['差出人: Bob <bob@example.org>\n日時: 2025年3月3日 / 2025\n宛先: Ada\n件名: The plan', 'Re: The plan']
])('ends a reply at the headers of the original message: %j', (block, subject) => {
  const rule = '________________________________'
  for (const border of ['', `${rule}\n`, '-----Original Message-----\n'])
    expect(extractOwnWords(`Yes.\n\n${border}${block}\n\nShall we?`, { subject, isReply: true })).toBe('Yes.')
})

test('keeps forwarded content', () => {
  const text =
    'For you.\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon, 3 Mar 2025\nSubject: The plan\nTo: Ada\n\nThe plan is this.'
  expect(extractOwnWords(text, { subject: 'Fwd: The plan', isReply: true })).toBe(text)
  expect(extractOwnWords(text, NEW)).toBe(text)
})

test('keeps fields that are not the headers of an original message', () => {
  const text = 'Booked:\n\nBoat: Kestrel\nDate: 3 March 2025\nPrice: 340'
  expect(extractOwnWords(text, REPLY)).toBe(text)
})

test('removes a signature, but not forwarded content below it', () => {
  expect(extractOwnWords('Hello.\n\n-- \nBob\n+44 20 7946 0112', NEW)).toBe('Hello.')
  expect(extractOwnWords('Hello.\n--\nBob', NEW)).toBe('Hello.')
  const passed = 'Look.\n\n-- \nBob\n\n---------- Forwarded message ---------\nFrom: Eve\n\nText.'
  expect(extractOwnWords(passed, NEW)).toBe('Look.\n\n---------- Forwarded message ---------\nFrom: Eve\n\nText.')
})

test('does not treat two dashes above half a page as a signature', () => {
  const text = `Part one.\n-- \n${'A line of part two.\n'.repeat(40)}`.trim()
  expect(extractOwnWords(text, NEW)).toBe(text)
})

test('keeps a reply below the quote, and ends an unmarked one where the quote begins', () => {
  const below = 'On 3 Mar 2025 at 10:12, Bob wrote:\n> Shall we?\n\nYes.'
  expect(extractOwnWords(`${below}\n-- \nAda`, REPLY)).toBe(below)
  const unmarked = 'Yes.\n\nOn 3 Mar 2025 at 10:12, Bob <bob@example.org> wrote:\n\nShall we?\nBob'
  expect(extractOwnWords(unmarked, REPLY)).toBe('Yes.')
})

test('keeps everything if nothing would be left', () => {
  const text = 'On 3 Mar 2025 at 10:12, Bob wrote:\n> Shall we?'
  expect(extractOwnWords(text, REPLY)).toBe(text)
})
