import { expect, test } from 'vitest'
import { mailboxProvider } from '../../../../server/providers/mailbox/mailbox-provider.ts'
import { googleDescription } from '../../../suites/google-description.ts'
import { type Follower, follow, mailKit, wantedIds } from './mail-kit.ts'

test('conforms to the published description', ({ skip }) => {
  const description = googleDescription('gmail.v1.json')
  skip(description === undefined, 'the shared fixtures are missing: nothing here is held against the description')
  expect(description?.operations).toContain('gmail.users.history.list')
})

test('lists all messages except drafts, chats, trash and spam, with requests as documented', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
  expect(follower.known.size).toBeGreaterThan(50)
  expect(kit.complaints).toEqual([])
})

test('sends one request in a sync without changes', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  kit.calls.length = 0
  await follow(kit.call, follower)
  expect(kit.calls).toEqual(['/gmail/v1/users/me/history'])
})

test('follows messages that are received, deleted, moved to trash or spam, and restored', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  const [first = '', second = '', third = ''] = wantedIds(kit.content)
  const { id } = await kit.change('receive', { text: 'New' })
  await kit.change('trash', { id: first })
  await kit.change('spam', { id: second })
  await kit.change('delete', { id: third })
  await follow(kit.call, follower)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
  expect(follower.known.has(id)).toBe(true)
  await kit.change('untrash', { id: first })
  await kit.change('unspam', { id: second })
  await follow(kit.call, follower)
  expect(follower.known.has(first) && follower.known.has(second)).toBe(true)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
})

test('ignores labels that neither hide nor show a message', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  const [id = ''] = wantedIds(kit.content)
  await kit.change('label', { id, add: ['STARRED', 'Travel'], remove: ['INBOX', 'UNREAD'] })
  const page = await mailboxProvider.changes(kit.call, { selection: [], cursor: follower.cursor })
  expect(page).toMatchObject({ seen: [], gone: [], more: false })
})

test('keeps a message hidden that left spam but is still in the trash', async () => {
  const kit = await mailKit()
  const { id } = await kit.change('receive', { labels: ['SPAM', 'TRASH'] })
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  await kit.change('label', { id, remove: ['SPAM'] })
  await follow(kit.call, follower)
  expect(follower.known.has(id)).toBe(false)
})

test('does not miss changes during a crawl', async () => {
  const kit = await mailKit()
  await kit.change('receive', { count: 1200 })
  const follower: Follower = { known: new Set(), cursor: undefined }
  let done = false
  await follow(kit.call, follower, {
    each: async (page) => {
      if (done || !page.more) return
      done = true
      await kit.change('trash', { id: page.seen[3]?.id })
      await kit.change('receive', { subject: 'In between' })
    }
  })
  expect(done).toBe(true)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
})

test('completes a listing that lags behind the profile from the history', async () => {
  const kit = await mailKit()
  await kit.change('receive', { count: 4 })
  await kit.order({ kind: 'lag', value: 3, operation: 'gmail.users.messages.list' })
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
})

test("reads the history from the profile's position if the newest message is too old", async () => {
  const kit = await mailKit()
  await kit.change('expire_history', {})
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
})

test('crawls an empty mailbox, and follows it afterwards', async () => {
  const kit = await mailKit()
  kit.content.messages.clear()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  expect(follower.known.size).toBe(0)
  const { id } = await kit.change('receive', {})
  await follow(kit.call, follower)
  expect([...follower.known]).toEqual([id])
})

test('lists everything again after the history was forgotten', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  const [id = ''] = wantedIds(kit.content)
  await kit.change('delete', { id })
  await kit.change('expire_history', {})
  const failures = await follow(kit.call, follower, { patience: 1 })
  expect(failures.map(({ kind }) => kind)).toEqual(['cursor_invalid'])
  expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
})

test('compares history ids exactly, beyond the precision of numbers', async () => {
  const kit = await mailKit()
  const before = 2n ** 63n + 1n
  kit.content.head = before
  kit.content.reachesBackTo = before
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  expect(JSON.parse(follower.cursor ?? '')).toMatchObject({ since: '9223372036854775809' })
  const { id } = await kit.change('receive', {})
  await follow(kit.call, follower)
  expect(follower.known.has(id)).toBe(true)
  expect(BigInt(JSON.parse(follower.cursor ?? '').since)).toBe(kit.content.head)
})

test('returns the same for a repeated page of history', async () => {
  const kit = await mailKit()
  const follower: Follower = { known: new Set(), cursor: undefined }
  await follow(kit.call, follower)
  await kit.change('receive', { count: 3 })
  const from = { selection: [], cursor: follower.cursor }
  expect(await mailboxProvider.changes(kit.call, from)).toEqual(await mailboxProvider.changes(kit.call, from))
})

test('does not loop on a page that names itself as the next one', async () => {
  const kit = await mailKit()
  await kit.change('receive', { count: 1200 })
  const first = await mailboxProvider.changes(kit.call, { selection: [], cursor: undefined })
  await kit.order({ kind: 'repeat_cursor', operation: 'gmail.users.messages.list' })
  const again = mailboxProvider.changes(kit.call, { selection: [], cursor: first.cursor })
  await expect(again).rejects.toMatchObject({ kind: 'contract_broken' })
})

test('lists the wanted messages page by page for a comparison, and starts again after the end', async () => {
  const kit = await mailKit()
  await kit.change('receive', { count: 1001 })
  const found: string[] = []
  let cursor: string | undefined
  let more = true
  while (more) {
    const page = await mailboxProvider.list(kit.call, { selection: [], cursor })
    found.push(...page.seen.map(({ id }) => id))
    cursor = page.cursor
    more = page.more
  }
  expect(found.sort()).toEqual(wantedIds(kit.content))
  const again = await mailboxProvider.list(kit.call, { selection: [], cursor })
  expect(again.seen).toHaveLength(500)
})

test('lists everything again after an invalid cursor', async () => {
  const kit = await mailKit()
  const texts = [
    '',
    'x',
    '{}',
    '[]',
    'null',
    '{"v":2,"step":"follow","since":"1"}',
    '{"v":1,"step":"follow","since":"-1"}'
  ]
  for (const cursor of texts) {
    const from = { selection: [], cursor }
    await expect(mailboxProvider.changes(kit.call, from), cursor).rejects.toMatchObject({ kind: 'cursor_invalid' })
    await expect(mailboxProvider.list(kit.call, from), cursor).rejects.toMatchObject({ kind: 'cursor_invalid' })
  }
})

test('lists everything again after an unknown page token', async () => {
  const kit = await mailKit()
  const cursor = JSON.stringify({ v: 1, step: 'crawl', pinned: '9', since: '9', token: 'gone' })
  const crawl = mailboxProvider.changes(kit.call, { selection: [], cursor })
  await expect(crawl).rejects.toMatchObject({ kind: 'cursor_invalid' })
})
