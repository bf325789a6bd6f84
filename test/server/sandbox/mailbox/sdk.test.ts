import { gmail, type gmail_v1 } from '@googleapis/gmail'
import { type ServerType, serve } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { mailboxSandbox } from '../../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { describedFetch, googleDescription } from '../../../suites/google-description.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

const ADA = 'ada.moreau@harbourlight.example'

type Client = { users: gmail_v1.Resource$Users; kit: SandboxKit; complaints: string[] }

test('conforms to the published description', ({ skip }) => {
  const description = googleDescription('gmail.v1.json')
  skip(description === undefined, 'the shared fixtures are missing: nothing here is held against the description')
  expect(description?.operations).toContain('gmail.users.history.list')
})

test('lets the official client read profile, labels, messages, threads and attachments over a socket', async () => {
  const { users, complaints } = await client()
  const { data: profile } = await users.getProfile({ userId: 'me' })
  expect(profile).toMatchObject({ emailAddress: 'Ada.Moreau@harbourlight.example' })
  const { data: labels } = await users.labels.list({ userId: 'me' })
  expect(labels.labels?.map(({ id }) => id)).toContain('CATEGORY_PROMOTIONS')
  const { data: inbox } = await users.labels.get({ userId: 'me', id: 'INBOX' })
  expect(inbox.messagesTotal).toBeGreaterThan(40)

  const { data: found } = await users.messages.list({ userId: 'me', q: 'subject:"Sea trial notes" has:attachment' })
  const id = found.messages?.[0]?.id ?? ''
  const { data: message } = await users.messages.get({ userId: 'me', id })
  const [text, file] = message.payload?.parts ?? []
  expect(Buffer.from(text?.body?.data ?? '', 'base64url').toString()).toContain('compass drifts by 2 degrees')
  const attachmentId = file?.body?.attachmentId ?? ''
  const { data: attachment } = await users.messages.attachments.get({ userId: 'me', messageId: id, id: attachmentId })
  expect(Buffer.from(attachment.data ?? '', 'base64url').toString()).toBe(
    'time,heading,depth\n10:00,182,4.1\n10:01,184,3.8\n'
  )
  const { data: thread } = await users.threads.get({ userId: 'me', id: message.threadId ?? '' })
  expect(thread.messages?.map((one) => one.snippet?.slice(0, 9))).toEqual(['Notes fro', '> the dis'])
  const { data: named } = await users.messages.get({
    userId: 'me',
    id,
    format: 'metadata',
    metadataHeaders: ['Subject', 'from']
  })
  expect(named.payload?.headers?.map(({ name }) => name)).toEqual(['From', 'Subject'])
  expect(complaints).toEqual([])
})

test('lets the official client page through messages and threads', async () => {
  const { users, complaints } = await client()
  const ids: string[] = []
  const threads: string[] = []
  for (let pageToken: string | undefined; ; ) {
    const { data } = await users.messages.list({ userId: 'me', maxResults: 7, ...(pageToken && { pageToken }) })
    ids.push(...(data.messages ?? []).map(({ id }) => id ?? ''))
    pageToken = data.nextPageToken ?? undefined
    if (pageToken === undefined) break
  }
  for (let pageToken: string | undefined; ; ) {
    const { data } = await users.threads.list({ userId: 'me', maxResults: 5, ...(pageToken && { pageToken }) })
    threads.push(...(data.threads ?? []).map(({ id }) => id ?? ''))
    pageToken = data.nextPageToken ?? undefined
    if (pageToken === undefined) break
  }
  const { data: all } = await users.messages.list({ userId: 'me', maxResults: 500 })
  expect(ids).toEqual(all.messages?.map(({ id }) => id))
  expect(new Set(threads).size).toBe(threads.length)
  expect(new Set(threads)).toEqual(new Set(all.messages?.map(({ threadId }) => threadId)))
  expect(complaints).toEqual([])
})

test('lets the official client follow the history, with ids as text', async () => {
  const { users, kit, complaints } = await client()
  const { data: profile } = await users.getProfile({ userId: 'me' })
  const startHistoryId = profile.historyId ?? ''
  expect(BigInt(startHistoryId)).toBeGreaterThan(2n ** 53n)
  const change = (name: string, input: unknown) =>
    kit.control('POST', `/accounts/mailbox/${ADA}/${name}`, input) as Promise<{ id: string }>
  const { id } = await change('receive', { subject: 'Hello' })
  await change('trash', { id })
  await change('delete', { id })
  const kinds: string[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = { userId: 'me', startHistoryId, maxResults: 1, ...(pageToken && { pageToken }) }
    const { data } = await users.history.list(page)
    for (const record of data.history ?? []) kinds.push(...Object.keys(record).filter((name) => /[A-Z]/.test(name)))
    pageToken = data.nextPageToken ?? undefined
    if (pageToken === undefined) break
  }
  expect(kinds).toEqual(['messagesAdded', 'labelsAdded', 'labelsRemoved', 'messagesDeleted'])
  const only = await users.history.list({ userId: 'me', startHistoryId, historyTypes: ['messageDeleted'] })
  expect(only.data.history).toHaveLength(1)
  await change('expire_history', {})
  await expect(users.history.list({ userId: 'me', startHistoryId })).rejects.toMatchObject({ code: 404 })
  expect(complaints).toEqual([])
})

test('refuses the official client with the reasons that it expects', async () => {
  const { users } = await client()
  await expect(users.messages.get({ userId: 'me', id: 'nothing' })).rejects.toMatchObject({
    code: 404,
    response: { data: { error: { errors: [{ reason: 'notFound', domain: 'global' }] } } }
  })
  await expect(users.messages.list({ userId: 'me', pageToken: 'no token' })).rejects.toMatchObject({ code: 400 })
  await expect(users.messages.list({ userId: 'somebody@example.org' })).rejects.toMatchObject({ code: 403 })
  await expect(users.messages.list({ userId: 'me', q: 'larger:10M' })).rejects.toMatchObject({ code: 400 })
})

/** Connects the official client to a sandbox provider on its own port. */
async function client(): Promise<Client> {
  const kit = sandboxKit([mailboxSandbox])
  const { apiUrl } = kit.sandbox.provider('mailbox')
  const { accessToken } = await kit.consent('mailbox', { account: ADA })
  const complaints: string[] = []
  const description = googleDescription('gmail.v1.json')
  const fetch: Fetch =
    description === undefined
      ? kit.sandbox.fetch
      : describedFetch(kit.sandbox.fetch, { description, apiUrl, complaints })
  // The client supports no URL with a path, so its requests are forwarded below the sandbox provider's URL.
  const rootUrl = await listening((request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${apiUrl}${pathname}${search}`, { method: request.method, headers: request.headers }))
  })
  const { users } = gmail({ version: 'v1', rootUrl, headers: { authorization: `Bearer ${accessToken}` }, retry: false })
  return { users, kit, complaints }
}

async function listening(answer: Fetch): Promise<string> {
  const server = await new Promise<ServerType>((resolve) => {
    const made: ServerType = serve(
      { fetch: answer, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false },
      () => resolve(made)
    )
  })
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return `http://127.0.0.1:${address.port}/`
}
