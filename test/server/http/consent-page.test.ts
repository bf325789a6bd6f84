import { expect, test } from 'vitest'
import { renderConsentPage, type Settled } from '../../../server/http/pages/consent-page.ts'
import { toPlainLine } from '../../../server/http/pages/markup.ts'
import { ATTEMPT, HOSTILE_NAMES, HOSTILE_OUTCOMES, NAMES, OUTCOMES } from '../../pages/outcomes.ts'

/** The status of each page, and the texts that its user must see. */
const SAYS: Readonly<Record<keyof typeof OUTCOMES, readonly [number, ...string[]]>> = {
  pending: [200, 'is connected', 'ada@example.com', 'research notes', 'Nothing is synced yet', 'disconnect'],
  active: [200, 'is connected', 'Syncing starts automatically', 'close this page', 'memctl connections disconnect'],
  renewed: [200, 'is reconnected', 'new credentials', 'Folders', 'Field reports, 2DeF'],
  asks: [200, 'Connect this account?', 'laptop', 'research notes', 'ada@example.com', 'sent you the link', '12:10 UTC'],
  denied: [403, 'Account not connected', 'Consent was not given.', 'memctl connect cloud_drive -c'],
  expired: [410, 'expired', 'memctl connect cloud_drive -c'],
  replayed: [410, 'already used', 'was not connected this time', 'memctl connect cloud_drive -c'],
  done: [410, 'already connected', 'changed nothing'],
  failed: [
    502,
    'was not connected',
    'The token endpoint of Google Drive answered 500.',
    'memctl connect cloud_drive -c'
  ],
  rejected: [
    400,
    'was not connected',
    'The answer of Google Drive cannot be trusted.',
    'memctl connect cloud_drive -c'
  ],
  unknown: [400, 'Invalid link', 'do not continue'],
  'no provider': [404, 'Unknown provider']
}

const NAMED = Object.entries(OUTCOMES) as [keyof typeof OUTCOMES, Settled][]

test.each(NAMED)('says what happened and what to do when a consent is %s', (name, settled) => {
  const { status, page, hasForm } = renderConsentPage(settled, NAMES)
  const [expected, ...words] = SAYS[name]
  expect([status, hasForm]).toEqual([expected, name === 'asks'])
  for (const word of words) expect(page).toContain(word)
})

test.each(NAMED)(
  'has a language, a title, one heading, no script and no secret when a consent is %s',
  (name, settled) => {
    const { page } = renderConsentPage(settled, NAMES)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toMatch(/<title>[^<]+ · memctl<\/title>/)
    expect(page.split('<h1>').length).toBe(2)
    expect(page).toContain('role="')
    expect(page).not.toMatch(/<script|style="|\son\w+=|src=|href=|@import|url\(|javascript:/)
    expect(page.includes(ATTEMPT.id)).toBe(false)
    // The form is submitted with the ticket, which is nowhere else.
    expect(page.split('T'.repeat(43)).length).toBe(name === 'asks' ? 2 : 1)
  }
)

test('does not ask to choose if there is nothing to select at the provider', () => {
  const chat = renderConsentPage(OUTCOMES.pending, { ...NAMES, selects: 'channel_ids' }).page
  expect(chat).toContain('memctl connections channels')
  expect(renderConsentPage(OUTCOMES.active, { ...NAMES, selects: undefined }).page).not.toMatch(/folder|channel/)
})

test('names at most 10 of the selected channels', () => {
  const channel_ids = Array.from({ length: 50 }, (_, at) => `C${at}`)
  const connection = { ...OUTCOMES.renewed.connection, config: { channel_ids }, placeNames: { C0: 'general' } }
  const { page } = renderConsentPage({ ...OUTCOMES.renewed, connection }, NAMES)
  expect(page).toContain('<bdi>general, C1, C2, C3, C4, C5, C6, C7, C8, C9, and 40 more</bdi>')
})

test('replaces names that are gone by known ones', () => {
  const names = { service: undefined, selects: undefined, collectionName: undefined, keyName: undefined }
  const connected = renderConsentPage(OUTCOMES.active, names).page
  expect(connected).toContain('<bdi>cloud_drive</bdi> is connected')
  expect(connected).toContain(ATTEMPT.collectionId)
  expect(renderConsentPage(OUTCOMES.asks, names).page).toContain('(no name)')
})

test.each(Object.entries(HOSTILE_OUTCOMES))('renders hostile names harmlessly on the page of %s', (_, settled) => {
  const { page } = renderConsentPage(settled, HOSTILE_NAMES)
  expect(page).not.toMatch(/<script|[\u202a-\u202e\u2066-\u2069\u200e\u200f]|\u001b|\u0000/)
  expect(page.length).toBeLessThan(16_000)
  expect(page).toMatch(/<bdi>[^<]*gnp\.exe &lt;script&gt;alert\(1\)&lt;\/script&gt;/i)
  expect(page).not.toMatch(/\p{M}{4}/u)
})

test('shortens an external text to one visible line', () => {
  expect(toPlainLine('  a\r\n\tb\u0085c\u2028d  ', 20)).toBe('a b c d')
  expect(toPlainLine('\u202e\u200b\u0007 \ufeff', 20)).toBe('(no name)')
  expect(toPlainLine('x\ud83dy', 20)).toBe('x\ufffdy')
  expect(toPlainLine('🗂️'.repeat(300), 10)).toBe(`${'🗂\ufe0f'.repeat(5)}…`)
  expect(toPlainLine('a'.repeat(20), 20)).toBe('a'.repeat(20))
  expect(toPlainLine('a'.repeat(21), 20)).toBe(`${'a'.repeat(20)}…`)
  expect(toPlainLine('\u{e0041}tag\u{e007f}', 20)).toBe('tag')
  expect(toPlainLine('Ärzte für أحمد', 20)).toBe('Ärzte für أحمد')
})
