import { expect, test } from 'vitest'
import { mailboxSandbox } from '../../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

const CLIO = 'clio.jensen@example.org'

type Json = Record<string, unknown> & { messages?: { id: string; threadId: string }[]; labels?: { id: string }[] }

test.each([
  ['in:inbox', 'INBOX', undefined],
  ['-in:inbox in:sent', 'SENT', 'INBOX'],
  ['is:unread', 'UNREAD', undefined],
  ['is:read', undefined, 'UNREAD'],
  ['in:trash', 'TRASH', undefined],
  ['in:spam', 'SPAM', undefined],
  ['in:drafts', 'DRAFT', undefined],
  ['label:CATEGORY_UPDATES', 'CATEGORY_UPDATES', undefined]
])('finds messages by labels with %s', async (...[q, has, lacks]) => {
  const { get } = await mail()
  const found = await get(`/messages?q=${encodeURIComponent(q)}&maxResults=500`)
  expect(found.messages?.length).toBeGreaterThan(0)
  for (const { id } of found.messages ?? []) {
    const { labelIds } = (await get(`/messages/${id}?format=minimal`)) as { labelIds?: string[] }
    if (has !== undefined) expect(labelIds).toContain(has)
    if (lacks !== undefined) expect(labelIds).not.toContain(lacks)
  }
})

test.each([
  ['from:tomas subject:"sea trial"', 1],
  ['to:elin', 2],
  ['"compass drifts"', 2],
  ['has:attachment from:tomas', 1],
  ['rfc822msgid:<ada.5.0@harbourlight.example>', 1],
  ['after:2020/01/01 before:2020/02/01', 0],
  ['nowhere-to-be-found', 0]
])('finds the expected messages with %s: %i', async (q, count) => {
  const { get } = await mail()
  const { messages = [] } = await get(`/messages?q=${encodeURIComponent(q)}`)
  expect(messages).toHaveLength(count)
})

test('hides messages with hiding labels unless a list includes them', async () => {
  const { get } = await mail()
  const count = async (query: string) => (await get(`/messages?maxResults=500&${query}`)).messages?.length ?? 0
  const usual = await count('')
  expect(await count('includeSpamTrash=true')).toBe(usual + 2)
  expect(await count('labelIds=TRASH')).toBe(1)
  expect(await count('labelIds=SENT&labelIds=IMPORTANT')).toBeGreaterThan(0)
})

test.each([
  '/messages?maxResults=x',
  '/messages?pageToken=!',
  '/messages?q=larger:10M',
  '/messages?q=has:yellow-star',
  '/threads?pageToken=bWVzc2FnZXM',
  '/history',
  '/history?startHistoryId=abc',
  '/history?startHistoryId=1&historyTypes=everything',
  '/history?startHistoryId=9007199254741001&pageToken=x',
  '/messages/1?format=whole',
  '/threads/1?format=raw'
])('refuses %s as malformed', async (path) => {
  const { ask } = await mail()
  const reply = await ask(path)
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
})

test.each([
  '/messages/0000000000000000',
  '/threads/0000000000000000',
  '/labels/Label_99',
  '/messages/0000000000000000/attachments/x',
  '/history?startHistoryId=1',
  '/history?startHistoryId=18446744073709551615'
])('reports %s as not found', async (path) => {
  const { ask } = await mail()
  expect((await ask(path)).status).toBe(404)
})

test("shows the account's mailbox by its address, and no other", async () => {
  const { kit, fetch } = await mail()
  const { apiUrl } = kit.sandbox.provider('mailbox')
  const status = async (user: string) => (await fetch(new Request(`${apiUrl}/gmail/v1/users/${user}/profile`))).status
  expect(await status('Ada.Moreau@harbourlight.example')).toBe(200)
  expect(await status('ben.okafor@example.com')).toBe(403)
})

test('shows only names and labels to a token with the metadata scope', async () => {
  const { get, ask } = await mail({ scopes: ['https://www.googleapis.com/auth/gmail.metadata'] })
  const { messages: [first] = [] } = await get('/messages')
  expect(await get(`/messages/${first?.id}?format=metadata`)).toHaveProperty('payload.headers')
  expect((await ask(`/messages/${first?.id}?format=full`)).status).toBe(403)
  expect((await ask(`/messages/${first?.id}?format=raw`)).status).toBe(403)
  expect((await ask('/messages?q=x')).status).toBe(400)
})

test('adds a reply to the thread, and refers to the messages it replies to', async () => {
  const { kit, get } = await mail()
  const change = (name: string, input: unknown) =>
    kit.control('POST', `/accounts/mailbox/ada.moreau%40harbourlight.example/${name}`, input) as Promise<{
      id: string
      thread_id: string
    }>
  const first = await change('receive', { subject: 'Hello' })
  const second = await change('receive', { subject: 'Re: Hello', reply_to: first.id })
  const third = await change('receive', { subject: 'Re: Hello', reply_to: second.id })
  expect([second.thread_id, third.thread_id]).toEqual([first.id, first.id])
  const thread = await get(`/threads/${first.id}?format=metadata&metadataHeaders=References`)
  const named = (thread.messages as unknown as { payload: { headers: { value: string }[] } }[]).map(
    ({ payload }) => payload.headers[0]?.value.match(/<[^>]+>/g)?.length ?? 0
  )
  expect(named).toEqual([0, 1, 2])
})

test('receives a raw message unchanged, even a malformed one', async () => {
  const { kit, get } = await mail({ account: CLIO })
  const raw = 'Subject: \u2708 raw\r\nFrom: x@example.org\r\n\r\nRaw \u2708 text'
  const made = await kit.control('POST', `/accounts/mailbox/${encodeURIComponent(CLIO)}/receive`, { raw })
  const { id } = made as { id: string }
  const message = (await get(`/messages/${id}?format=raw`)) as { raw: string; snippet: string }
  expect(Buffer.from(message.raw, 'base64url').toString()).toBe(raw)
  expect(message.snippet).toBe('Raw \u2708 text')
})

async function mail({ account = 'ada.moreau@harbourlight.example', scopes = undefined as string[] | undefined } = {}) {
  const kit: SandboxKit = sandboxKit([mailboxSandbox])
  const fetch: Fetch = await kit.fetchAs('mailbox', { account, ...(scopes && { scopes }) })
  const { apiUrl } = kit.sandbox.provider('mailbox')
  const ask = (path: string) => fetch(new Request(`${apiUrl}/gmail/v1/users/me${path}`))
  const get = async (path: string): Promise<Json> => {
    const reply = await ask(path)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Json
  }
  return { kit, fetch, ask, get }
}
