import { expect } from 'vitest'
import { manualClock } from '../http/manual-clock.ts'
import { attemptOf, begin, choose, consent, formFields, submit, visit } from './consent-kit.ts'
import { ORIGIN, type TestServer } from './server-kit.ts'
import { type Start, serverTestWith } from './server-test.ts'

const ALWAYS = { variables: { MEMCTL_CONNECT_CONFIRM: 'always' } }

/** Tests the confirmation page. It protects a person who opens a consent address that another person sent. */
export function confirmSuite(start: Start): void {
  answerTests(start)
  placeTests(start)
  abuseTests(start)
}

type Asked = { state: string; url: string; fields: [string, string][]; html: string }

/** Runs a consent up to the page that asks for confirmation. */
async function asked(server: TestServer): Promise<Asked> {
  const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'laptop', grants: editOf(server) } })).json
  const { auth_url, state } = await begin(server, 'mailbox', { key })
  const callback = await choose(server, auth_url)
  const { status, html } = await visit(server, callback)
  expect(status).toBe(200)
  return { state, url: callback.split('?')[0] ?? '', fields: formFields(html), html }
}

function editOf({ collectionId }: TestServer) {
  return [{ collection_id: collectionId, permission: 'edit' }]
}

const listed = async (server: TestServer): Promise<unknown[]> =>
  (await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json

const revocations = async (server: TestServer): Promise<number> => {
  const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
  return requests.filter(({ operation }: { operation: string }) => operation === 'oauth.revoke').length
}

function answerTests(start: Start): void {
  serverTestWith(start, 'links nothing before the user confirms, and shows who asks and for what', {
    options: ALWAYS,
    body: async (server) => {
      const { state, url, fields, html } = await asked(server)
      for (const word of ['laptop', 'default', '(sandbox)', 'sent you the link']) expect(html).toContain(word)
      expect(fields.map(([name]) => name)).toEqual(['ticket'])
      expect(await attemptOf(server, state)).toEqual({ status: 'waiting', connection_id: null, detail: null })
      expect(await listed(server)).toEqual([])
      const reply = await submit(server, url, [...fields, ['decision', 'approve']])
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('is connected')])
      expect(await attemptOf(server, state)).toMatchObject({ status: 'completed' })
      expect(await listed(server)).toMatchObject([{ status: 'active', provider: 'mailbox' }])
    }
  })

  serverTestWith(start, 'links nothing and revokes the grant when the user declines', {
    options: ALWAYS,
    body: async (server) => {
      const { state, url, fields } = await asked(server)
      const reply = await submit(server, url, [...fields, ['decision', 'deny']])
      expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('Account not connected')])
      expect(await attemptOf(server, state)).toMatchObject({ status: 'denied', connection_id: null })
      expect([await listed(server), await revocations(server)]).toEqual([[], 1])
    }
  })
}

/** Whether a person must confirm, by the listening address and the public URL. */
const PLACES: readonly [host: string, publicUrl: string, asks: boolean][] = [
  ['127.0.0.1', ORIGIN, false],
  ['127.0.0.1', 'http://localhost:8787', false],
  ['127.0.0.1', 'https://memctl.example', true],
  ['0.0.0.0', ORIGIN, true]
]

function placeTests(start: Start): void {
  for (const [host, publicUrl, asks] of PLACES)
    serverTestWith(start, `on ${host} with the public URL ${publicUrl}, ${asks ? 'asks' : 'does not ask'}`, {
      options: { variables: { MEMCTL_SERVER_HOST: host }, publicUrl },
      body: async (server) => {
        const { state } = await consent(server, 'mailbox')
        expect((await attemptOf(server, state)).status).toBe(asks ? 'waiting' : 'completed')
      }
    })
}

function abuseTests(start: Start): void {
  serverTestWith(start, 'accepts only the first answer', {
    options: ALWAYS,
    body: async (server) => {
      const { state, url, fields } = await asked(server)
      const answers = ['approve', 'deny', 'approve', 'deny', 'approve'].map((decision) =>
        submit(server, url, [...fields, ['decision', decision]])
      )
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 410).length).toBe(4)
      const { status } = await attemptOf(server, state)
      expect((await listed(server)).length).toBe(status === 'completed' ? 1 : 0)
    }
  })

  serverTestWith(start, 'rejects a ticket that is forged, changed or of another provider', {
    options: ALWAYS,
    body: async (server) => {
      const { state, url, fields } = await asked(server)
      const ticket = fields[0]?.[1] ?? ''
      for (const wrong of ['', 'x', ticket.slice(1), `${ticket}x`, state]) {
        const reply = await submit(server, url, [
          ['ticket', wrong],
          ['decision', 'approve']
        ])
        expect([wrong, reply.status]).toEqual([wrong, 400])
      }
      const elsewhere = await submit(server, url.replace('mailbox', 'team_chat'), [...fields, ['decision', 'approve']])
      expect(elsewhere.status).toBe(400)
      expect([await listed(server), (await attemptOf(server, state)).status]).toEqual([[], 'waiting'])
    }
  })

  serverTestWith(start, 'links nothing and revokes the grant without an answer in time', {
    options: { ...ALWAYS, clock: manualClock() },
    body: async (server) => {
      const { state, url, fields } = await asked(server)
      await (server.clock as ReturnType<typeof manualClock>).pass(10 * 60_000)
      const reply = await submit(server, url, [...fields, ['decision', 'approve']])
      expect([reply.status, await reply.text()]).toEqual([410, expect.stringContaining('expired')])
      await server.connectors.sweep(new AbortController().signal)
      expect(await attemptOf(server, state)).toMatchObject({ status: 'expired', connection_id: null })
      expect([await listed(server), await revocations(server)]).toEqual([[], 1])
    }
  })
}
